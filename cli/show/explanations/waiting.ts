import { coversOneOf, findShareCluster, nameShareScope } from "#libs/input";
import { type FleetStatus, nameStop, type StopRecord, tellWaits, type WaitStatus } from "#libs/plan";
import { renderReason, type TextLine } from "#libs/wording";

import type { RunsAnswer, RunsNow } from "../../read/read-runs.ts";
import type { Reading } from "../../options/reading-options.ts";
import { indentSentence, type Sentence } from "../../terminal/sentence.ts";
import { saySentence } from "../status/print-answers.ts";
import { differs } from "./drift.ts";
import type { ExplainSource } from "./source.ts";

/** What a namespace waits for that an open run still has to move, or that failed in it. */
export interface Waiting {
  readonly run: string;
  /** Empty where its turn in the batches comes next. */
  readonly waits: readonly WaitStatus[];
}

interface Subject {
  readonly namespace: string;
  /** The revision in main. */
  readonly revision: string;
  readonly bucket: string;
}

function listClusters(workloads: readonly RunsNow[], revision: string): readonly string[] {
  const other = workloads.filter(({ revisions }) => Object.keys(revisions).some((each) => each !== revision));
  return [...new Set(other.map(({ cluster }) => cluster))];
}

/** Stops in the ledger as waits, for where no planner's status is known. */
function renderStops(stops: readonly StopRecord[]): readonly WaitStatus[] {
  return stops.map((stop) => ({ scope: stop.scope, ...renderReason(nameStop(stop)) }));
}

/**
 * Why a namespace does not move though main asks for another revision and a run is open: by the planner's status, else by the stops
 * in the ledger. Undefined where all of it moved, where no run is open, or where what runs is not known.
 */
export function findWaiting(
  { openRun: run, stops = [] }: Pick<ExplainSource, "openRun" | "stops">,
  { namespace, revision, bucket }: Subject,
  runs: RunsAnswer | undefined,
  status: Pick<FleetStatus, "waiting"> | undefined,
): Waiting | undefined {
  if (run === undefined || runs === undefined || "unknown" in runs || !differs(runs, revision)) return undefined;
  const cluster = listClusters(runs.workloads, revision);
  const shares = cluster.map((name): string => nameShareScope(run, name));
  const holdsIt = ({ scope }: { readonly scope: string }): boolean =>
    findShareCluster(scope) === undefined
      ? coversOneOf(scope, { run: [run], namespace: [namespace], bucket: [bucket], cluster })
      : shares.includes(scope);
  const told = status?.waiting.filter(holdsIt);
  return { run, waits: told ?? renderStops(stops.filter((stop) => stop.strength === "move" && holdsIt(stop))) };
}

/** The causes, each with whose turn it is, and what that person can type. */
export function printWaiting(waiting: Waiting | undefined, reading: Reading, isFailed: boolean): readonly Sentence[] {
  if (waiting === undefined) return [];
  const { run, waits } = waiting;
  // The choices for what failed stand there.
  const isShown = ({ isChoice }: TextLine): boolean => !(isFailed && isChoice === true);
  const lines =
    waits.length === 0
      ? [`its turn in the batches of run ${run}`]
      : tellWaits(waits)
          .filter(isShown)
          .flatMap((line) => sayWait(line, reading));
  return lines.map((line, index) => indentSentence(line, index === 0 ? "  waiting   " : " ".repeat(12)));
}

function sayWait(line: TextLine, reading: Reading): readonly Sentence[] {
  const { command, isChoice } = line;
  const sentence = saySentence(line, reading);
  if (command === undefined) return [sentence];
  return isChoice === true ? [[{ command }], `  ${sentence}`] : [sentence, [{ command }]];
}
