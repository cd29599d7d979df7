import { printStopCause } from "#libs/wording";
import { coversOneOf, findNamed, isStopScope, lookUp, type StopScope } from "#libs/input";

import type {
  ClusterSnapshot,
  LedgerState,
  RunRecord,
  Snapshot,
  Spec,
  StopRecord,
  VerbRequest,
} from "../records/index.ts";
import { nameEntryStop, readClusterEntries } from "./recorded/cluster-entries.ts";
import type { ActiveStop } from "./active-stop.ts";
import { listSharedStops, type MainFiles } from "./list-shared-stops.ts";
import { listUnreadStops } from "./list-unread-stops.ts";

export type { ActiveStop } from "./active-stop.ts";

/** The subject of a move, for matching a stop's scope. */
export interface Subject {
  readonly cluster: string;
  readonly run: string;
  /** The campaign that the run belongs to. */
  readonly campaign?: string | undefined;
  readonly namespace: string;
  readonly bucket: string;
  /** When the rollback began, ISO: few stops hold it (rules 2.3). Absent = the move is forward. */
  readonly rollbackSince?: string;
}

/** Stops of the ledger that are in force. */
export function listRecordedStops(ledger: LedgerState): readonly StopRecord[] {
  return Object.values(ledger.stops).filter((stop) => stop.resume === undefined);
}

/** The number of the next stop of this scope, from 1: part of its id, so that it differs from an ended one's. */
export function numberNextStop(ledger: LedgerState, scope: StopScope): number {
  return Object.values(ledger.stops).filter((stop) => stop.scope === scope).length + 1;
}

function pickExtras({
  until,
  revertTo,
  now,
  rollbackOf,
}: Pick<ActiveStop, "until" | "revertTo" | "now" | "rollbackOf">) {
  return {
    ...(until === undefined ? {} : { until }),
    ...(revertTo === undefined ? {} : { revertTo }),
    ...(now === undefined ? {} : { now }),
    ...(rollbackOf === undefined ? {} : { rollbackOf }),
  };
}

/** The run of a scope `run/<id>`. */
export function findRun(ledger: LedgerState | undefined, scope: StopScope): RunRecord | undefined {
  return lookUp(ledger?.runs, findNamed("run", scope) ?? "");
}

/** A verb counts as a stop from its request on, before it is recorded (rules 7.2). */
function readAskedStop(request: VerbRequest, ledger: LedgerState | undefined): ActiveStop | undefined {
  const { id, scope, strength, who, why, at } = request;
  if (request.verb === "stop") return { id, scope, strength, who, why, at, from: "control", ...pickExtras(request) };
  if (request.verb !== "rollback") return undefined;
  const revertTo = request.revertTo ?? findRun(ledger, scope)?.before;
  const extras = pickExtras({ ...request, ...(revertTo === undefined ? {} : { revertTo }) });
  return { id, scope, strength: "move", who, why, at, from: "control", ...extras };
}

/** The ledger has the entry's record, or the stop made of the entry: that record counts. */
export function isEntryKnown(ledger: LedgerState | undefined, cluster: string, key: string): boolean {
  if (ledger === undefined) return false;
  const own = lookUp(ledger.stops, nameEntryStop(cluster, key));
  if (own?.foundIn === cluster) return true;
  const copied = lookUp(ledger.stops, key);
  return copied === undefined ? lookUp(ledger.requests, key) !== undefined : isHeldIn(copied, cluster);
}

/** kubectl's own stop: it holds while its ConfigMap exists (rules 7.3). */
function readKubectlStop({ name, facts }: Pick<ClusterSnapshot, "name" | "facts">): readonly ActiveStop[] {
  const why = printStopCause({ code: "KubectlStop", cluster: name });
  const stop = { id: "kubectl", who: "kubectl", why, scope: `cluster/${name}`, from: "cluster", at: "" } as const;
  return facts.stops.kubectl ? [{ ...stop, strength: "move" }] : [];
}

/** Entries of an executor or the CLI in the cluster, which only the ledger ends (rules 7.3). */
function readClusterStops(
  { name, facts }: Pick<ClusterSnapshot, "name" | "facts">,
  ledger: LedgerState | undefined,
): readonly ActiveStop[] {
  const { stops } = readClusterEntries(name, facts.stops.recorded, ledger?.baseline.installation);
  return stops.flatMap(({ key, ...stop }) => (isEntryKnown(ledger, name, key) ? [] : [{ ...stop, from: "cluster" }]));
}

/** Whether the run's failures or a gate placed the stop: it holds only the run's forward moves, and ends with the run. */
export function isRunGuardStop({ cause }: { readonly cause?: string }): boolean {
  return cause === "failures" || cause === "gate";
}

/** Of these stops, the one that the run's failures or a gate placed. */
export function findRunGuardStop<S extends { readonly scope: string; readonly cause?: string }>(
  stops: readonly S[],
  run: string,
): S | undefined {
  return stops.find((stop) => stop.scope === `run/${run}` && isRunGuardStop(stop));
}

/** The fields of a stop that decide what it holds. */
type Coverage = Pick<ActiveStop, "scope" | "id" | "at" | "revertTo" | "cause" | "foundIn">;

/** False for a stop that was found in another cluster. */
function isHeldIn({ foundIn }: Pick<ActiveStop, "foundIn">, cluster: string): boolean {
  return foundIn === undefined || foundIn === cluster;
}

/** A rollback goes on under all stops except kubectl's, a swapped cluster's, and later ones on exactly its run (rules 2.3). */
function coversRollback(stop: Coverage, subject: Subject): boolean {
  // On another cluster of the same name a rollback would change the wrong objects (rules 9.1).
  if (stop.id === "kubectl" || stop.cause === "otherCluster") return stop.scope === `cluster/${subject.cluster}`;
  // A commit may roll one bucket back and raise another: failures of its forward part must not hold the rollback.
  const isOwn = stop.revertTo === undefined && !isRunGuardStop(stop) && stop.scope === `run/${subject.run}`;
  return isOwn && stop.at > (subject.rollbackSince ?? "");
}

/** Whether the stop's scope covers the subject; a campaign's covers its runs. */
export function coversSubject(stop: Coverage, subject: Subject): boolean {
  if (!isHeldIn(stop, subject.cluster)) return false;
  return subject.rollbackSince === undefined ? coversForward(stop, subject) : coversRollback(stop, subject);
}

/**
 * Whether a pause keeps a whole forward run from moving: on it, on its campaign, or on all. One found in a cluster, or on a
 * cluster, a namespace or a bucket, leaves the rest of the run.
 */
export function holdsWholeRun(
  { scope, strength, foundIn }: Pick<ActiveStop, "strength" | "foundIn"> & { readonly scope: string },
  run: Pick<Subject, "run" | "campaign">,
): boolean {
  if (strength !== "move" || foundIn !== undefined || !isStopScope(scope)) return false;
  return coversForward({ scope }, { ...run, cluster: "", namespace: "", bucket: "" });
}

function coversForward(stop: Pick<Coverage, "scope">, subject: Subject): boolean {
  const { cluster, run, campaign, namespace, bucket } = subject;
  return coversOneOf(stop.scope, {
    cluster: [cluster],
    run: [run],
    campaign: campaign === undefined ? [] : [campaign],
    namespace: [namespace],
    bucket: [bucket],
  });
}

/**
 * Every stop in force, from all four places; one that is in several is listed once, the ledger's first. Stops by kubectl and by
 * main cannot be replaced by a record or verb of the same id.
 */
export function collectStops(
  ledger: LedgerState | undefined,
  requests: readonly VerbRequest[],
  clusters: Iterable<Pick<ClusterSnapshot, "name" | "facts">>,
  main: MainFiles | undefined,
): readonly ActiveStop[] {
  const recorded = ledger === undefined ? [] : listRecordedStops(ledger);
  const placed: ActiveStop[] = recorded.map((stop) => ({ ...stop, from: "ledger" as const }));
  for (const request of requests) {
    const asked = lookUp(ledger?.requests, request.id) === undefined ? readAskedStop(request, ledger) : undefined;
    if (asked !== undefined) placed.push(asked);
  }
  const computed: ActiveStop[] = [];
  for (const cluster of clusters) {
    placed.push(...readClusterStops(cluster, ledger));
    computed.push(...readKubectlStop(cluster));
  }
  if (main !== undefined) computed.push(...listUnreadStops(main.head), ...listSharedStops(ledger, main));
  const known = new Set<string>();
  const once = placed.filter(({ id, scope, foundIn = "" }) => {
    const key = `${id} ${scope} ${foundIn}`;
    return !known.has(key) && known.add(key);
  });
  return [...once, ...computed];
}

/** Stops that bind more than one cluster: those in a cluster's ConfigMap hold no proposal and no merge. */
export function collectFleetStops(
  { ledger, requests, clusters, specs }: Pick<Snapshot, "ledger" | "requests" | "clusters" | "specs">,
  head: Spec | undefined,
): readonly ActiveStop[] {
  const main = head && { head, specs };
  return collectStops(ledger, requests, clusters.values(), main).filter(({ foundIn }) => foundIn === undefined);
}

/** Every stop of strength `move` in force, from all four places. */
export function collectMoveStops(...places: Parameters<typeof collectStops>): readonly ActiveStop[] {
  return collectStops(...places).filter((stop) => stop.strength === "move");
}
