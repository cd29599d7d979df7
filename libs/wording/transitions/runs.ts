import { type GateFinding, printFinding } from "../gates/findings.ts";
import { type Reason, renderReason } from "../reasons/reason.ts";
import { printText } from "../text.ts";
import { count, shorten, us, type Wordings } from "../reasons/wording.ts";
import { type EndCounts, nameTakeover, printEndCounts } from "./run-end.ts";

/** A run, by its id. */
interface RunWords {
  readonly run: string;
}

type WaveWords = RunWords & { readonly clusters: readonly string[] };

type GateWords = RunWords & { readonly gate: string; readonly found: GateFinding };

function wordVerdict({ gate, run, found }: GateWords, verdict: string) {
  return { message: `gate ${gate} of run ${run} ${verdict}: ${printFinding(found)}`, owner: us };
}

/** The progress of a bake when it is saved. */
type SavedBake =
  | { readonly step: "began" | "progress" | "over" }
  /** `paused` absent = there is no reason. */
  | { readonly step: "paused"; readonly paused: Reason | undefined };

const bakeVerbs = { began: "began", progress: "continues", paused: "is interrupted", over: "is complete" } as const;

function explainPause(bake: SavedBake): string {
  if (bake.step !== "paused") return "";
  return `: ${bake.paused === undefined ? "" : printText(renderReason(bake.paused).message)}`;
}

/** A gate's count: bad measurements of at most so many, or since when a ratio is too low (absent = it is not). */
type GateCount = { readonly bad: number; readonly failureLimit: number } | { readonly lowSince: string | undefined };

function printCount(counted: GateCount): string {
  if ("bad" in counted) return `bad measurement ${counted.bad} of ${counted.failureLimit}`;
  return counted.lowSince === undefined ? "high enough again" : `too low since ${counted.lowSince}`;
}

/** Transitions of a run. */
export const runTransitions = {
  /** `holds`: scopes of a rollback's holds. */
  MainChanged: (
    started: RunWords & { readonly subject: string; readonly author: string; readonly holds: readonly string[] },
  ) => {
    const { run, subject, author, holds } = started;
    const held = holds.length === 0 ? "" : `; a rollback, its hold stays on ${holds.join(", ")}`;
    return { message: `run ${run} started: ${subject} (${author})${held}`, owner: author };
  },
  NothingChanged: ({ commit }: { readonly commit: string }) => ({
    message: `main is at ${shorten(commit)}: no namespace changes revision`,
    owner: us,
  }),
  WaveOpened: ({ run, clusters }: WaveWords) => ({
    message: `run ${run}: wave opened in ${clusters.join(", ")}`,
    owner: us,
  }),
  WaveDone: ({ run, clusters }: WaveWords) => ({
    message: `run ${run}: nothing is left in ${clusters.join(", ")}`,
    owner: us,
  }),
  WaveReopened: ({ run, clusters }: WaveWords) => ({
    message: `run ${run}: workloads are left in ${clusters.join(", ")} again`,
    owner: us,
  }),
  /** Times in ms. */
  BakeSaved: (
    saved: RunWords & { readonly bake: SavedBake; readonly healthyMs: number; readonly neededMs: number },
  ) => {
    const { run, bake, healthyMs, neededMs } = saved;
    const share = Math.min(100, Math.floor((100 * healthyMs) / neededMs));
    const counted = `${share} % of ${count(Math.round(neededMs / 60_000), "minute")}`;
    return { message: `run ${run}: its bake ${bakeVerbs[bake.step]}, ${counted}${explainPause(bake)}`, owner: us };
  },
  /** `workload`: the first of `pending` workloads. */
  BakeRestarted: ({ run, workload, pending }: RunWords & { readonly workload: string; readonly pending: number }) => {
    const more = pending > 1 ? ` and ${pending - 1} more` : "";
    return { message: `run ${run}: its bake starts again once ${workload}${more} moved`, owner: us };
  },
  GatePassed: (judged: GateWords) => wordVerdict(judged, "passed"),
  GateFailed: (judged: GateWords) => wordVerdict(judged, "failed"),
  GateCounted: ({ gate, run, counted }: RunWords & { readonly gate: string; readonly counted: GateCount }) => ({
    message: `gate ${gate} of run ${run}: ${printCount(counted)}`,
    owner: us,
  }),
  /**
   * `takenOverBy`: the run to which all of its workloads belong now; the counts are then those of before. `isRolledBack`: that
   * run is its rollback.
   */
  RunEnded: (
    ended: RunWords &
      EndCounts & { readonly state: string; readonly takenOverBy?: string; readonly isRolledBack?: boolean },
  ) => {
    const { run, state, takenOverBy, isRolledBack = false } = ended;
    const how = takenOverBy === undefined ? state : nameTakeover(takenOverBy, isRolledBack);
    return { message: `run ${run} ${how}: ${printEndCounts(ended)}`, owner: us };
  },
  /** `pull`: its number; `digest`: of the list of workloads. */
  StageProposed: (
    proposed: Readonly<Record<"stage" | "campaign" | "digest", string>> &
      Readonly<Record<"pull" | "workloads", number>>,
  ) => {
    const { stage, campaign, pull, workloads, digest } = proposed;
    const list = `${workloads} workloads, ${digest}`;
    return { message: `stage ${stage} of ${campaign} proposed as pull request ${pull}: ${list}`, owner: us };
  },
  /** Counts of records. */
  Archived: ({ runs, stops, lists }: Readonly<Record<"runs" | "stops" | "lists", number>>) => ({
    message: `${count(runs, "run")}, ${count(stops, "stop")}, ${count(lists, "list")} moved to the archive`,
    owner: us,
  }),
} satisfies Wordings;
