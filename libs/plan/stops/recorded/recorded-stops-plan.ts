import { isStopScope, lookUp, mayConcernCluster, type StopScope } from "#libs/input";
import { cutText, printStopCause, type RecordedStopProblem } from "#libs/wording";

import {
  type LedgerState,
  printRecordedStop,
  readRecordedStop,
  type RecordedStop,
  type StopRecord,
  type VerbRequest,
} from "../../records/index.ts";
import { nameEntryStop } from "./cluster-entries.ts";
import { listRecordedStops } from "../stops.ts";

/** The changes of one cluster's ConfigMap `meshroll-recorded-stops`. */
export interface RecordedStopsPlan {
  /** By record id: the text to write, null to remove. Empty = nothing to do. */
  readonly entries: Readonly<Record<string, string | null>>;
  /** Stops that the ConfigMap cannot hold. */
  readonly problems: readonly RecordedStopProblem[];
}

/** Longer reasons are cut, so that a ConfigMap of 1 MiB has room for all stops. */
const longestReason = 500;
const longestName = 200;
const longestEntry = 4096;
/** Valid keys of a ConfigMap; with an invalid one the API server would refuse the whole write. */
const keyPattern = /^[-._a-zA-Z0-9]{1,253}$/;

/** The stop of a verb that the ledger does not have yet; undefined for verbs that stop nothing. */
function readRequest(request: VerbRequest): RecordedStop | undefined {
  const { id, scope, strength, at, who, why, until } = request;
  const stop = { id, scope, strength, at, who, why, ...(until === undefined ? {} : { until }) };
  if (request.verb === "stop") return stop;
  if (request.verb !== "rollback") return undefined;
  return { ...stop, strength: "move", why: printStopCause({ code: "RollbackAsked", why }) };
}

/** A stop of another cluster only is not recorded here. */
function concerns(scope: StopScope, cluster: string): boolean {
  return isStopScope(scope) && mayConcernCluster(scope, cluster);
}

/** The ledger answered the verb without a stop, or ended the stop (rules 7.3). */
function isOver(id: string, ledger: LedgerState | undefined): boolean {
  const stop = lookUp(ledger?.stops, id);
  return stop === undefined ? lookUp(ledger?.requests, id) !== undefined : stop.resume !== undefined;
}

/** Whether an existing entry is over, also where the ledger ended the stop that it made of the entry. */
function isEntryOver(key: string, cluster: string, ledger: LedgerState | undefined): boolean {
  const own = lookUp(ledger?.stops, nameEntryStop(cluster, key));
  return (own?.foundIn === cluster && own.resume !== undefined) || isOver(key, ledger);
}

/** Every stop of strength `move` in force that concerns the cluster, the ledger's own record first. */
export function listStopsToRecord(
  cluster: string,
  requests: readonly VerbRequest[],
  ledger: LedgerState | undefined,
): readonly RecordedStop[] {
  const recorded: readonly StopRecord[] = ledger === undefined ? [] : listRecordedStops(ledger);
  const asked = requests.flatMap((request) => {
    const isKnown = lookUp(ledger?.stops, request.id) !== undefined || isOver(request.id, ledger);
    return isKnown ? [] : (readRequest(request) ?? []);
  });
  const known = recorded.filter(({ foundIn }) => foundIn === undefined);
  return [...known, ...asked].filter(({ scope, strength }) => strength === "move" && concerns(scope, cluster));
}

/** Whether the entry belongs to another installation, which removes it itself. */
function isOfOther(text: string, ledger: LedgerState | undefined): boolean {
  const whose = readRecordedStop(text)?.stop.installation;
  return whose !== undefined && ledger !== undefined && whose !== ledger.baseline.installation;
}

/**
 * The writes after which every known stop is recorded, and the removals of those that the ledger shows as ended. An id that the
 * ledger never had stays, until the planner records it (rules 7.3). Existing entries are never replaced.
 */
export function planRecordedStops(
  cluster: string,
  known: readonly RecordedStop[],
  state: Readonly<Record<string, string>>,
  ledger: LedgerState | undefined,
): RecordedStopsPlan {
  const entries = new Map<string, string | null>();
  const problems: RecordedStopProblem[] = [];
  for (const [key, text] of Object.entries(state)) {
    if (isEntryOver(key, cluster, ledger) && !isOfOther(text, ledger)) entries.set(key, null);
  }
  for (const stop of known) {
    const bounded = { ...stop, who: cutText(stop.who, longestName), why: cutText(stop.why, longestReason) };
    if (isOver(stop.id, ledger) || lookUp(state, stop.id) !== undefined) continue;
    const text = printRecordedStop(bounded);
    if (keyPattern.test(stop.id) && text.length <= longestEntry) entries.set(stop.id, text);
    else problems.push({ code: "NotRecordable", id: stop.id, who: stop.who, scope: stop.scope });
  }
  return { entries: Object.fromEntries(entries), problems };
}
