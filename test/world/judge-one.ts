import type { Settings } from "#libs/campaign";
import type { Workload } from "#libs/fleet";
import { createOwnership, judgeCluster, type RunRecord, type Spec, type JudgedWorkload } from "#libs/plan";
import { printWorkloadReason, renderWorkloadReason } from "#libs/wording";
import { expect, test } from "vitest";

import { makeCluster, makeLedger, makeRun, noon, runId, sha } from "./build.ts";
import { openRunLedger, specsOf } from "./executor.ts";

/** One workload in cluster `one`, and what decides its state. */
export interface JudgeQuestion {
  readonly workload: Workload;
  readonly namespaceLabels?: Record<string, string>;
  readonly tags?: Record<string, string>;
  readonly percentNew?: number;
  readonly waitedMs?: number;
  readonly isDrift?: boolean;
  readonly now?: number;
  readonly namespaceAnnotations?: Record<string, string>;
  /** Attempts that a person's retry allowed, by `cluster:object`. */
  readonly retried?: Record<string, number>;
  /** Whether its run is a rollback. */
  readonly isRollback?: boolean;
  readonly settings?: Partial<Settings>;
  /** The open run; default: that of `makeSnapshot`. */
  readonly run?: RunRecord;
}

export function requireHead(specs: ReturnType<typeof specsOf>): Spec {
  const head = specs.get(sha("head"));
  if (head === undefined) throw new Error("no head");
  return head;
}

/** Judges the workload while the run of `makeSnapshot` is open in its cluster. */
export function judgeOne(question: JudgeQuestion): JudgedWorkload {
  const {
    workload,
    namespaceLabels,
    tags = {},
    percentNew,
    isDrift,
    namespaceAnnotations = {},
    retried = {},
    settings,
  } = question;
  const specs = specsOf(percentNew, settings);
  const head = requireHead(specs);
  const cluster = makeCluster("one", [workload], { facts: { tags } }, namespaceLabels);
  const namespaces = new Map(
    [...cluster.namespaces].map(([name, each]) => [
      name,
      { ...each, namespace: { ...each.namespace, annotations: namespaceAnnotations } },
    ]),
  );
  const { run = makeRun(sha("head"), sha("base"), { retried }) } = question;
  const ledger = isDrift === true ? makeLedger() : openRunLedger({ runs: { [runId]: run } });
  const now = question.now ?? noon;
  const key = `one:${workload.namespace}/${workload.kind}/${workload.name}`;
  const waitingSince = new Map(question.waitedMs === undefined ? [] : [[key, now - question.waitedMs]]);
  const forward = createOwnership(head, ledger, specs);
  const back: typeof forward = (name) => ({ ...forward(name), rollbackSince: run.startedAt });
  const ownerOf = question.isRollback === true ? back : forward;
  const [judged] = judgeCluster({ cluster: { ...cluster, namespaces }, head, ownerOf, now, waitingSince });
  if (judged === undefined) throw new Error("no workload was judged");
  return judged;
}

function printPending({
  unhealthyBefore,
  attempt,
}: {
  readonly unhealthyBefore: boolean;
  readonly attempt: number;
}): string {
  return `pending${unhealthyBefore ? " last" : ""}${attempt === 1 ? "" : ` #${attempt}`}`;
}

function printState({ state }: JudgedWorkload): string {
  switch (state.kind) {
    case "pending":
      return printPending(state);
    case "waiting":
      return `waiting ${state.reason.code}`;
    case "skipped":
      return `skipped${state.failed === undefined ? "" : ` (${state.failed})`}: ${printWorkloadReason(renderWorkloadReason(state.reason))}`;
    case "migrating":
      return `migrating ${state.progress}`;
    case "unmanaged":
    case "migrated":
    case "idle":
      return state.kind;
  }
}

/** A workload and its expected state, for example `pending last #2`. */
export interface JudgeCase extends JudgeQuestion {
  readonly name: string;
  readonly want: string;
}

/** Declares a test for each case. */
export function testWorkloadStates(cases: readonly JudgeCase[]): void {
  test.each(cases)("$name", ({ want, ...question }) => {
    expect(printState(judgeOne(question))).toBe(want);
  });
}
