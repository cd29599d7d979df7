import type { Cluster, WriteOutcome } from "#libs/kube";
import type { RepositorySnapshots } from "#libs/repository";
import { isOtherCluster, listStopsToRecord, planRecordedStops, readClusterEntries } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";
import { printText, type RecordedStopProblem, renderStopProblem } from "#libs/wording";

import type { ControlView } from "../control/follow-control.ts";
import type { Troubles } from "../messages/troubles.ts";

interface StopRecorderParts {
  readonly installation: string;
  readonly cluster: Cluster;
  readonly repositorySnapshots: Pick<RepositorySnapshots, "view">;
  readonly control: Pick<ControlView, "requests">;
  readonly troubles: Troubles;
  readonly clock: Clock;
  readonly log: Logger;
  readonly waitForChange: (longestMs: number, signal: AbortSignal) => Promise<void>;
}

/** Longest and shortest time between two checks, real ms: changes come in bursts. */
const checkEveryMs = 1_000;
const checkAtMostEveryMs = 50;
/** Real ms before a failed write is tried again; a refused one needs a person, so it waits longer. */
const retryMs = 1_000;
const refusedRetryMs = 10_000;
/**
 * Real ms before the same entry is written again. The watch may be late, and an executor with a newer ledger may remove what
 * this one would keep adding.
 */
const repeatMs = 30_000;

const about = "recorded stops";

type Entries = Readonly<Record<string, string | null>>;

/** Our newest writes by record id; `text` is null for a removal, `at` in real monotonic ms. */
type Written = Map<string, { readonly text: string | null; readonly at: number }>;

/** The entries without those that were written less than `repeatMs` ago. */
function omitRepeats(entries: Entries, written: Written, now: number): Entries {
  for (const [id, { at }] of written) if (now - at > repeatMs) written.delete(id);
  return Object.fromEntries(Object.entries(entries).filter(([id, text]) => written.get(id)?.text !== text));
}

function describeOutcome(cluster: string, outcome: WriteOutcome): string {
  const why = "why" in outcome ? outcome.why : outcome.kind;
  const fix = outcome.kind === "refused" ? "; check with kubectl -n meshroll-system auth can-i patch configmaps" : "";
  return `stops cannot be recorded in ${cluster} (${why}): they hold only while ledger or control are read${fix}`;
}

/** Notes the outcome as a problem of the cluster. Returns the real ms until the next check. */
function settle(parts: StopRecorderParts, outcome: WriteOutcome, random: () => number): number {
  switch (outcome.kind) {
    case "written":
      parts.troubles.clear(about);
      return 0;
    case "conflict":
    case "gone":
      return retryMs;
    case "refused":
    case "unavailable": {
      parts.troubles.put(about, describeOutcome(parts.cluster.name, outcome));
      const soonest = outcome.kind === "refused" ? refusedRetryMs : (outcome.retryAfterMs ?? retryMs);
      return Math.max(retryMs, soonest) * (1 + random() / 2);
    }
  }
}

/** Entries that do not count, or are too many to be read, become a problem of the cluster. */
function reportIgnored({ troubles, log }: StopRecorderParts, ignored: readonly RecordedStopProblem[]): void {
  const [first, ...more] = ignored;
  if (first === undefined) {
    troubles.clear("ignored entries");
    return;
  }
  const problem = printText(renderStopProblem(first));
  const text = more.length === 0 ? problem : `${problem}; and ${more.length} more entries`;
  if (troubles.put("ignored entries", text))
    log.warn({ ignored: ignored.slice(0, 20).map(renderStopProblem) }, "entries do not count");
}

/** One check, and one write if an entry is missing or must go. Returns the real ms to wait after a failed write, else 0. */
async function recordOnce(parts: StopRecorderParts, written: Written, random: () => number): Promise<number> {
  const { installation, cluster, repositorySnapshots, control, troubles, clock, log } = parts;
  // Also a ledger that main no longer contains: its stops stay in force.
  const ledger = repositorySnapshots.view()?.ledger;
  const facts = cluster.view.facts();
  // Nothing is written into a cluster that another installation serves, or that none has claimed yet.
  if (facts.installation !== installation || isOtherCluster(facts, ledger)) return 0;
  const known = listStopsToRecord(cluster.name, control.requests(), ledger).map((stop) => ({ ...stop, installation }));
  const { recorded } = facts.stops;
  const plan = planRecordedStops(cluster.name, known, recorded, ledger);
  reportIgnored(parts, readClusterEntries(cluster.name, recorded, installation).ignored);
  const entries = omitRepeats(plan.entries, written, clock.monotonic());
  const { problems } = plan;
  const [problem] = problems;
  if (problem === undefined) troubles.clear("unrecordable stops");
  else troubles.put("unrecordable stops", printText(renderStopProblem(problem)));
  if (Object.keys(entries).length === 0) {
    troubles.clear(about);
    return 0;
  }
  const outcome = await cluster.recordStops(entries);
  if (outcome.kind === "written") {
    for (const [id, text] of Object.entries(entries)) written.set(id, { text, at: clock.monotonic() });
    log.info({ stops: Object.keys(entries) }, "recorded the stops in force, removed those that were resumed");
  } else log.warn({ outcome }, "could not record stops in the cluster");
  return settle(parts, outcome, random);
}

/**
 * Reconciles the ConfigMap `meshroll-recorded-stops` of one cluster with the known stops, so that they hold when bus and git
 * are gone (rules 7.3). An entry that is already there is not written again, whatever wrote it.
 */
export async function reconcileRecordedStops(
  parts: StopRecorderParts,
  signal: AbortSignal,
  random: () => number = Math.random,
): Promise<void> {
  const written: Written = new Map();
  while (!signal.aborted) {
    // Listens before the check, so that a verb that arrives during the write is handled at once.
    const woken = parts.waitForChange(checkEveryMs, signal);
    const pauseMs = await recordOnce(parts, written, random).catch((error: unknown) => {
      parts.log.error({ error }, "could not reconcile recorded stops: the next check tries again");
      return retryMs;
    });
    if (pauseMs === 0) await woken;
    await parts.clock.sleepReal(Math.max(pauseMs, checkAtMostEveryMs), signal).catch(() => undefined);
  }
}
