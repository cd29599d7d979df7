import { readFileSync } from "node:fs";

import { builtInSettings, type Campaign } from "#libs/campaign";
import type { Workload } from "#libs/fleet";
import {
  compileSpec,
  describeSail,
  type RunRecord,
  type Spec,
  type StopRecord,
  evaluateFleet,
  type Snapshot,
} from "#libs/plan";
import {
  makeMigrated,
  makeCluster,
  makeLedger,
  makeRun,
  makeWorkload,
  makeSnapshot,
  runId,
  sha,
} from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { printSail } from "../../../cli/show/status/print-sail.ts";

const target = "default-v1-26-0";
const started = "2025-10-21T10:30:00.000Z";
const ended = "2025-10-21T10:45:23.000Z";

/** The text of one of the proposal's examples. */
function readExample(name: string): string {
  return readFileSync(new URL(`../../fixtures/sail/${name}.yml`, import.meta.url), "utf8");
}

const settings = { batch: { ...builtInSettings.batch, batchSize: 5, failurePolicy: "ContinueOnError" as const } };
const campaign: Campaign = makeCampaign({ target, stages: [makeStage("all", 100, settings)] });

function annotateFailure(workload: Workload, reason: string, at: string): Workload {
  const marks = { "meshroll.dev/run": `${runId} ${target}`, "meshroll.dev/failed": `${target} ${reason} ${at}` };
  return { ...workload, generation: 3, observedGeneration: 3, annotations: marks };
}

const fleet = Array.from({ length: 47 }, (_, index) => makeWorkload(`ns-${String(index).padStart(2, "0")}/api`));
const migrated = fleet.map((workload) => makeMigrated(workload, target, runId));
const failures = [
  annotateFailure(makeWorkload("production/legacy-app"), "ReadinessTimeout", "2025-10-21T10:35:12Z"),
  annotateFailure(
    makeWorkload("staging/flaky-service", { replicas: 3, available: 2 }),
    "ProgressDeadlineExceeded",
    "2025-10-21T10:38:45Z",
  ),
  annotateFailure(makeWorkload("production/critical-app"), "ReadinessTimeout", "2025-10-21T10:42:30Z"),
];

function compile(commit: string, percent: number): Spec {
  const compiled = compileSpec(commit, `production:\n  old: ${100 - percent}\n  ${target}: ${percent}\n`, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return withCampaign(compiled.spec, campaign);
}

interface Case {
  readonly workloads: readonly Workload[];
  readonly run?: Partial<RunRecord>;
  readonly stops?: Readonly<Record<string, StopRecord>>;
}

function makeSailSnapshot({ workloads, run, stops = {} }: Case): Snapshot {
  const [base, head] = [sha("base"), sha("head")];
  const record = makeRun(head, base, {
    campaign: campaign.name,
    stage: "all",
    startedAt: started,
    clusters: { one: { openedAt: started, unhealthyBefore: [] } },
    ...run,
  });
  const revisions = ["old", target].map((name) => ({ name, webhook: true, istiod: "ready" as const }));
  const cluster = makeCluster("one", workloads, { facts: { revisions } });
  return makeSnapshot({
    specs: new Map([
      [base, compile(base, 0)],
      [head, compile(head, 100)],
    ]),
    ledger: makeLedger({ main: head, judged: head, runs: { [runId]: record }, stops }),
    clusters: new Map([["one", cluster]]),
  });
}

function see(snapshot: Snapshot) {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined) throw new Error("main does not parse");
  return { snapshot, head, evaluation: evaluateFleet(snapshot, head) };
}

const over = { state: "done", endedAt: ended } as const;

describe("the proposal's examples", () => {
  const cases: Readonly<Record<string, Case>> = {
    "in-progress": { workloads: [...migrated.slice(0, 23), ...fleet.slice(23)] },
    completed: { workloads: migrated, run: over },
    failed: { workloads: [...migrated.slice(0, 44), ...failures], run: over },
  };
  test.each(Object.entries(cases))(
    "%s: the same object, with the fields in the same order",
    (name, { workloads, run }) => {
      const { snapshot, head, evaluation } = see(
        makeSailSnapshot({ workloads, ...(run === undefined ? {} : { run }) }),
      );
      const [only] = describeSail(snapshot, head, evaluation);
      // Compared as text, because the order of the fields matters too.
      expect(JSON.stringify({ status: only?.status })).toBe(JSON.stringify(parse(readExample(name))));
    },
  );

  test("printed as YAML it is the same, one document for each cluster", async () => {
    const text = await printSail(see(makeSailSnapshot({ workloads: migrated, run: over })), undefined);
    expect(parse(text, { version: "1.1" })).toEqual({
      metadata: { name: "one" },
      ...(parse(readExample("completed")) as object),
    });
    expect(text).toContain('startTime: "2025-10-21T10:30:00Z"');
  });
});
