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

/** What a move is about, for matching a stop's scope. */
export interface Subject {
  readonly cluster: string;
  readonly run: string;
  /** The campaign that the run belongs to. */
  readonly campaign?: string | undefined;
  readonly namespace: string;
  readonly bucket: string;
  /** A rollback is held by few stops (rules 2.3); when it began, ISO. Absent = the move is forward. */
  readonly rollbackSince?: string;
}

/** Stops of the ledger that are in force. */
export function listRecordedStops(ledger: LedgerState): readonly StopRecord[] {
  return Object.values(ledger.stops).filter((stop) => stop.resume === undefined);
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

/** The run that a scope `run/<id>` names. */
export function findRun(ledger: LedgerState | undefined, scope: StopScope): RunRecord | undefined {
  return lookUp(ledger?.runs, findNamed("run", scope) ?? "");
}

/** A verb counts as a stop from the moment it is requested, before it is recorded (rules 7.2). */
function readAskedStop(request: VerbRequest, ledger: LedgerState | undefined): ActiveStop | undefined {
  const { id, scope, strength, who, why, at } = request;
  if (request.verb === "stop") return { id, scope, strength, who, why, at, from: "control", ...pickExtras(request) };
  if (request.verb !== "rollback") return undefined;
  const revertTo = request.revertTo ?? findRun(ledger, scope)?.before;
  const extras = pickExtras({ ...request, ...(revertTo === undefined ? {} : { revertTo }) });
  return { id, scope, strength: "move", who, why, at, from: "control", ...extras };
}

/** The ledger has what the entry copies, or what was made of the entry: that record says whether it still holds. */
export function isEntryKnown(ledger: LedgerState | undefined, cluster: string, key: string): boolean {
  if (ledger === undefined) return false;
  const own = lookUp(ledger.stops, nameEntryStop(cluster, key));
  if (own?.foundIn === cluster) return true;
  const copied = lookUp(ledger.stops, key);
  return copied === undefined ? lookUp(ledger.requests, key) !== undefined : isHeldIn(copied, cluster);
}

/** Kubectl's own stop: that its ConfigMap exists says so, and nothing else ends it (rules 7.3). */
function readKubectlStop({ name, facts }: Pick<ClusterSnapshot, "name" | "facts">): readonly ActiveStop[] {
  const why = printStopCause({ code: "KubectlStop", cluster: name });
  const stop = { id: "kubectl", who: "kubectl", why, scope: `cluster/${name}`, from: "cluster", at: "" } as const;
  return facts.stops.kubectl ? [{ ...stop, strength: "move" }] : [];
}

/** Entries that an executor or the CLI left in the cluster: ended only by the ledger (rules 7.3). */
function readClusterStops(
  { name, facts }: Pick<ClusterSnapshot, "name" | "facts">,
  ledger: LedgerState | undefined,
): readonly ActiveStop[] {
  const { stops } = readClusterEntries(name, facts.stops.recorded, ledger?.baseline.installation);
  return stops.flatMap(({ key, ...stop }) => (isEntryKnown(ledger, name, key) ? [] : [{ ...stop, from: "cluster" }]));
}

/** Placed by what a run itself showed, its failures or a gate: it holds the way forward of that run, and ends with it. */
export function isProof({ cause }: { readonly cause?: string }): boolean {
  return cause === "failures" || cause === "gate";
}

/** What of a stop says whom it holds. */
type Coverage = Pick<ActiveStop, "scope" | "id" | "at" | "revertTo" | "cause" | "foundIn">;

/** False for what was found in another cluster. */
function isHeldIn({ foundIn }: Pick<ActiveStop, "foundIn">, cluster: string): boolean {
  return foundIn === undefined || foundIn === cluster;
}

/** A rollback goes on under all stops but kubectl's, and those that name its run and were placed later (rules 2.3). */
function coversRollback(stop: Coverage, subject: Subject): boolean {
  // Going back in a cluster that is another one than it was would be no rollback at all (rules 9.1).
  if (stop.id === "kubectl" || stop.cause === "otherCluster") return stop.scope === `cluster/${subject.cluster}`;
  // A commit may return one bucket and raise another: what fails on its way forward must not hold what is rolled back.
  const isOwn = stop.revertTo === undefined && !isProof(stop) && stop.scope === `run/${subject.run}`;
  return isOwn && stop.at > (subject.rollbackSince ?? "");
}

/** True when the stop's scope covers the subject; a campaign's binds its runs. */
export function coversSubject(stop: Coverage, subject: Subject): boolean {
  if (!isHeldIn(stop, subject.cluster)) return false;
  return subject.rollbackSince === undefined ? coversForward(stop, subject) : coversRollback(stop, subject);
}

/**
 * A pause that keeps a whole forward run from moving: on it, on its campaign, or on all. One that was found in a cluster holds there
 * alone, and so does one on a cluster, a namespace or a bucket: the run goes on elsewhere.
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
 * Every stop that is in force now, from all four places; one that stands in several is reported once, the ledger's first. What
 * kubectl and main say is told as they say it: no record or verb of the same name takes its place.
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

/** Stops that bind more than one cluster: what a cluster's ConfigMap says holds no proposal and no merge. */
export function collectFleetStops(
  { ledger, requests, clusters, specs }: Pick<Snapshot, "ledger" | "requests" | "clusters" | "specs">,
  head: Spec | undefined,
): readonly ActiveStop[] {
  const main = head && { head, specs };
  return collectStops(ledger, requests, clusters.values(), main).filter(({ foundIn }) => foundIn === undefined);
}

/** Every stop of strength `move` that is in force now, from all four places. */
export function collectMoveStops(...places: Parameters<typeof collectStops>): readonly ActiveStop[] {
  return collectStops(...places).filter((stop) => stop.strength === "move");
}
