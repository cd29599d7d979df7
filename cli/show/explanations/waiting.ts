import { coversOneOf, findShareCluster, nameShareScope } from "#libs/input";
import { type FleetStatus, nameStop, type StopRecord, tellWaits, type WaitStatus } from "#libs/plan";
import { renderReason, type TextLine } from "#libs/wording";

import type { RunsAnswer, RunsNow, RunsSeen } from "../../read/read-runs.ts";
import type { Reading } from "../../options/reading-options.ts";
import { indentSentence, type Sentence } from "../../terminal/sentence.ts";
import { saySentence } from "../status/print-answers.ts";
import { asksForOther } from "./drift.ts";
import { isFailedNow } from "./failed.ts";
import type { ExplainSource } from "./source.ts";

/** What a namespace waits for that an open run still has to move. */
export interface Waiting {
  readonly run: string;
  /** Empty where its turn in the batches comes next. */
  readonly waits: readonly WaitStatus[];
}

type WaitSource = Pick<ExplainSource, "openRun" | "retried" | "stops">;
type KnownStatus = Pick<FleetStatus, "runs" | "waiting">;

interface Subject {
  readonly namespace: string;
  /** The revision in main. */
  readonly revision: string;
  readonly bucket: string;
}

/**
 * Workloads that the run may still move. Those that failed move only after a retry, overwritten ones are not put right by the run, and
 * owners of another kind are never moved.
 */
function listMovable(source: WaitSource, { namespace, revision }: Subject, runs: RunsSeen): readonly RunsNow[] {
  const asking = new Set(
    runs.namespaces.flatMap(({ cluster, asks }) => (asks.some((ask) => asksForOther(ask, revision)) ? [cluster] : [])),
  );
  const isBehind = ({ cluster, pods, revisions }: RunsNow): boolean =>
    pods === 0 ? asking.has(cluster) : Object.keys(revisions).some((each) => each !== revision);
  const isOver = ({ overwritten, ...each }: RunsNow): boolean =>
    overwritten?.target === revision || isFailedNow(source, { namespace, revision }, each);
  return runs.workloads.filter((each) => each.isOther !== true && isBehind(each) && !isOver(each));
}

/** Whether one of them is pending: its cluster has such, and it is not skipped, of which the status names only the first. */
function isPending(run: string, namespace: string, movable: readonly RunsNow[], { runs }: KnownStatus): boolean {
  const known = runs.find(({ id }) => id === run);
  if (known === undefined || known.skippedTotal > known.skipped.length) return false;
  const skipped = new Set(known.skipped.map(({ cluster, workload }) => `${cluster}:${workload}`));
  const clusters = new Set(known.clusters.filter(({ pending }) => pending > 0).map(({ cluster }) => cluster));
  return movable.some(
    ({ cluster, workload }) => clusters.has(cluster) && !skipped.has(`${cluster}:${namespace}/${workload}`),
  );
}

/** Stops in the ledger as waits, for where no planner's status is known. */
function renderStops(stops: readonly StopRecord[]): readonly WaitStatus[] {
  return stops.map((stop) => ({ scope: stop.scope, ...renderReason(nameStop(stop)) }));
}

/** What a wait or a stop may name to hold them. */
interface Parts {
  readonly names: Parameters<typeof coversOneOf>[1];
  readonly shares: readonly string[];
}

function nameParts(
  { id, campaign }: NonNullable<WaitSource["openRun"]>,
  { namespace, bucket }: Subject,
  movable: readonly RunsNow[],
): Parts {
  const cluster = [...new Set(movable.map((each) => each.cluster))];
  const names = { run: [id], namespace: [namespace], bucket: [bucket], cluster };
  return {
    names: campaign === undefined ? names : { ...names, campaign: [campaign] },
    shares: cluster.map((name) => nameShareScope(id, name)),
  };
}

/** What holds them, by the planner's status, else by the stops in the ledger. */
function listWaits(
  { stops = [] }: WaitSource,
  { names, shares }: Parts,
  status: KnownStatus | undefined,
): readonly WaitStatus[] {
  const holdsIt = ({ scope }: { readonly scope: string }): boolean =>
    findShareCluster(scope) === undefined ? coversOneOf(scope, names) : shares.includes(scope);
  return (
    status?.waiting.filter(holdsIt) ?? renderStops(stops.filter((stop) => stop.strength === "move" && holdsIt(stop)))
  );
}

/**
 * Why a namespace does not move though main asks for another revision and a run is open: by the planner's status, else by the stops
 * in the ledger, which cannot say whose turn it is. Undefined where the run has nothing to move, where no run is open, or where what
 * runs is not known.
 */
export function findWaiting(
  source: WaitSource,
  subject: Subject,
  runs: RunsAnswer | undefined,
  status: KnownStatus | undefined,
): Waiting | undefined {
  const { openRun: run } = source;
  if (run === undefined || runs === undefined || "unknown" in runs) return undefined;
  const movable = listMovable(source, subject, runs);
  if (movable.length === 0) return undefined;
  const waits = listWaits(source, nameParts(run, subject, movable), status);
  const isNext = status !== undefined && isPending(run.id, subject.namespace, movable, status);
  return waits.length > 0 || isNext ? { run: run.id, waits } : undefined;
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
