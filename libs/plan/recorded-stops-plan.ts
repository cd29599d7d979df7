import { isStopScope, type StopScope, lookUp } from "#libs/input";

import type { LedgerState } from "./ledger-state.ts";
import { printRecordedStop, readRecordedStop, type RecordedStop } from "./recorded-stop.ts";
import { findRun, listRecordedStops } from "./stops.ts";
import type { Ask } from "./world.ts";

/** What has to change in the ConfigMap `meshroll-recorded-stops` of one cluster. */
export interface RecordedStopsPlan {
  /** By record id: the text to write, null to remove. Empty = nothing to do. */
  readonly entries: Readonly<Record<string, string | null>>;
  /** Stops that the ConfigMap cannot hold, in sentences for people. */
  readonly problems: readonly string[];
}

/** A ConfigMap ends at 1 MiB: so it holds more stops than anybody places, however long their reasons are. */
const longestReason = 500;
const longestName = 200;
const longestEntry = 4096;
/** What the API server takes as a key; one that it does not take would have all the others refused with it. */
const keyPattern = /^[-._a-zA-Z0-9]{1,253}$/;

function cut(text: string, longest: number): string {
  // Half a surrogate pair would come back as another text than it was written.
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

/** The stop that a verb is, before the ledger has it; undefined for verbs that stop nothing. */
function readAsk(ask: Ask, ledger: LedgerState | undefined): RecordedStop | undefined {
  const { id, scope, strength, at, who, why, until } = ask;
  const stop = { id, scope, strength, at, who, why, ...(until === undefined ? {} : { until }) };
  if (ask.verb === "stop") return stop;
  if (ask.verb !== "rollback") return undefined;
  const revertTo = ask.revertTo ?? findRun(ledger, scope)?.before;
  const back = { ...(revertTo === undefined ? {} : { revertTo }), ...(ask.now === undefined ? {} : { now: ask.now }) };
  return { ...stop, strength: "move", ...back };
}

/** A stop on another cluster alone is that cluster's own to remember. */
function concerns(scope: StopScope, cluster: string): boolean {
  return isStopScope(scope) && (!scope.startsWith("cluster/") || scope === `cluster/${cluster}`);
}

/** The ledger carried the verb out without a stop, or lifted the stop: it binds nobody any more (rules 7.3). */
function isOver(id: string, ledger: LedgerState | undefined): boolean {
  const stop = lookUp(ledger?.stops, id);
  return stop === undefined ? lookUp(ledger?.asks, id) !== undefined : stop.lift !== undefined;
}

/** Every stop of strength `move` that concerns the cluster and that nobody lifted, the ledger's own record first. */
export function listStopsToRecord(
  cluster: string,
  asks: readonly Ask[],
  ledger: LedgerState | undefined,
): readonly RecordedStop[] {
  const recorded: readonly RecordedStop[] = ledger === undefined ? [] : listRecordedStops(ledger);
  const asked = asks.flatMap((ask) => {
    const isKnown = lookUp(ledger?.stops, ask.id) !== undefined || isOver(ask.id, ledger);
    return isKnown ? [] : (readAsk(ask, ledger) ?? []);
  });
  return [...recorded, ...asked].filter(({ scope, strength }) => strength === "move" && concerns(scope, cluster));
}

/** A standing entry is completed, never replaced: another text may have been written by somebody who knew more. */
function isComplete(standing: string, stop: RecordedStop): boolean {
  const read = readRecordedStop(standing);
  if (read === undefined || read.id !== stop.id || read.scope !== stop.scope) return true;
  const lacksTarget = stop.revertTo !== undefined && read.revertTo === undefined;
  return !lacksTarget && (stop.now === undefined || read.now === true);
}

function refuse({ id, scope, who }: RecordedStop): string {
  const stop = `the stop ${cut(JSON.stringify(id), 80)} of ${cut(who, 80)} on ${cut(scope, 80)}`;
  return `${stop} cannot be recorded in the cluster: its id is no key of a ConfigMap, or it is too long`;
}

/**
 * What to write so that every known stop stands, and what to remove: only what the ledger shows as lifted or ended. An id
 * that the ledger never had stays, whatever is silent or was wiped: the planner brings it there (rules 7.3).
 */
export function planRecordedStops(
  known: readonly RecordedStop[],
  standing: Readonly<Record<string, string>>,
  ledger: LedgerState | undefined,
): RecordedStopsPlan {
  const entries = new Map<string, string | null>();
  const problems: string[] = [];
  for (const id of Object.keys(standing)) if (isOver(id, ledger)) entries.set(id, null);
  for (const stop of known) {
    const before = lookUp(standing, stop.id);
    if (isOver(stop.id, ledger) || (before !== undefined && isComplete(before, stop))) continue;
    const who = cut(stop.who, longestName);
    const text = printRecordedStop({ ...stop, who, why: cut(stop.why, longestReason) });
    if (keyPattern.test(stop.id) && text.length <= longestEntry) entries.set(stop.id, text);
    else problems.push(refuse(stop));
  }
  return { entries: Object.fromEntries(entries), problems };
}
