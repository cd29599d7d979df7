import { nameForeignManager, readMarks } from "#libs/fleet";
import { canConverge, type JudgedWorkload } from "#libs/plan";
import {
  nameManager,
  nameManagerEnd,
  printManagerEnd,
  printWorkloadReason,
  quoteForShell,
  type RenderedWorkloadReason,
  renderWorkloadReason,
} from "#libs/wording";

import type { Sentence } from "../../terminal/sentence.ts";
import type { Listing, Row } from "../listing.ts";
import { isNamed, nameRunning } from "./get-fleet-rows.ts";
import type { FleetWorkloads } from "./narrow-view.ts";

/** A workload that differs from main though no run moves it. */
interface Drifted {
  readonly judged: JudgedWorkload;
  /** Why it is not moved; absent where nothing keeps it. */
  readonly reason?: RenderedWorkloadReason;
  /** The field manager that wrote what it has now, where that is not meshroll. */
  readonly manager?: string;
  /** `converge` takes it. */
  readonly converges: boolean;
}

/** The manager that put it back, else the one that wrote the label that it has. */
function findManager({ state, workload }: JudgedWorkload): string | undefined {
  if (state.kind === "skipped" && state.reason.code === "Overwritten") return state.reason.manager;
  return nameForeignManager(workload.revisionManager);
}

function isDrift({ run, state }: JudgedWorkload): boolean {
  return run === undefined && !["migrated", "idle", "unmanaged", "migrating"].includes(state.kind);
}

function describe(judged: JudgedWorkload): Drifted {
  const manager = findManager(judged);
  const { state } = judged;
  return {
    judged,
    converges: canConverge(judged),
    ...("reason" in state ? { reason: renderWorkloadReason(state.reason) } : {}),
    ...(manager === undefined ? {} : { manager }),
  };
}

/** What its owner or a person can type for it; undefined where that is for the reason to say. */
function nameCommand({ judged: { cluster, key, workload, state }, converges }: Drifted): string | undefined {
  const name = quoteForShell(`${cluster}:${key}`);
  if (converges) return `meshroll converge ${name} --reason "…"`;
  const marks = readMarks(workload);
  const run = marks.kind === "unreadable" ? undefined : marks.run?.run;
  const isFailure = state.kind === "skipped" && ["MoveFailed", "UnhealthyBefore"].includes(state.reason.code);
  return isFailure && run !== undefined ? `meshroll retry run/${run} ${name} --reason "…"` : undefined;
}

function makeRow(drifted: Drifted): Row {
  const { judged, reason, manager, converges } = drifted;
  const { cluster, key, desired, workload, bucket } = judged;
  const running = nameRunning(workload);
  const command = nameCommand(drifted);
  const message = reason === undefined ? undefined : printWorkloadReason(reason);
  const name = `${cluster}:${key}`;
  const item = { cluster, workload: key, bucket, desired, running, reason: reason?.code, message, manager };
  return {
    name,
    cells: [key, cluster, desired, running, reason?.code ?? "-", manager ?? "-"],
    wide: [bucket, message ?? "-", command ?? "-"],
    item: { ...item, converges, command },
  };
}

/** The command that brings them back, and what stops each manager that wrote over a move. */
function listNotes(all: readonly Drifted[]): readonly Sentence[] {
  const taken = all.filter(({ converges }) => converges).length;
  const over = all.filter(({ reason }) => reason?.code === "Overwritten");
  const managers = new Set(over.map(({ manager }) => manager));
  const brings: readonly Sentence[] =
    taken === 0
      ? []
      : [[`${taken} of ${all.length} can be brought back:  `, { command: 'meshroll converge SCOPE --reason "…"' }]];
  return [...brings, ...[...managers].map((each) => printManagerEnd(nameManager(each), nameManagerEnd(each)))];
}

/** What differs from main though no run moves it, who wrote it, and the command for it; `name`: a namespace, or a workload. */
export function listDrift({ evaluation }: FleetWorkloads, name: string | undefined): Listing {
  const all = [...evaluation.judged.values()]
    .flatMap((index) => [...index])
    .filter((each) => isDrift(each) && (name === undefined || isNamed(each, name)))
    .map(describe)
    .toSorted((a, b) => Number(b.converges) - Number(a.converges));
  return {
    kind: "DriftList",
    prefix: "drift",
    header: ["NAME", "CLUSTER", "DESIRED", "RUNNING", "REASON", "MANAGER"],
    spare: ["DESIRED", "MANAGER", "RUNNING"],
    wideHeader: ["BUCKET", "MESSAGE", "COMMAND"],
    rows: all.map(makeRow),
    notes: listNotes(all),
  };
}
