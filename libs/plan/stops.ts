import type { LedgerState, StopRecord, StopScope } from "./ledger-state.ts";
import type { Ask, ClusterWorld } from "./world.ts";

/** A stop in force, wherever it was found: the most restrictive of ledger, KV and ConfigMaps wins (architecture §7). */
export interface ActiveStop {
  readonly id: string;
  readonly scope: StopScope;
  readonly strength: "propose" | "move";
  readonly who: string;
  readonly why: string;
  readonly at: string;
  readonly from: "ledger" | "control" | "cluster";
}

/** What a move is about, for matching a stop's scope. */
export interface Subject {
  readonly cluster: string;
  readonly run: string;
  readonly namespace: string;
  readonly bucket: string;
}

/** Stops of the ledger that nobody lifted. */
export function listRecordedStops(ledger: LedgerState): readonly StopRecord[] {
  return Object.values(ledger.stops).filter((stop) => stop.lift === undefined);
}

/** A verb counts as a stop from the moment it is asked, before anybody recorded it (rules 7.2). */
function readAskedStop(ask: Ask): ActiveStop | undefined {
  if (ask.verb !== "stop") return undefined;
  return {
    id: ask.id,
    scope: ask.scope,
    strength: ask.strength,
    who: ask.who,
    why: ask.why,
    at: ask.at,
    from: "control",
  };
}

/** Kubectl's own stop, and entries that an executor or the CLI left in the cluster: lifted only by the ledger (rules 7.3). */
function readClusterStops(
  cluster: Pick<ClusterWorld, "name" | "facts">,
  ledger: LedgerState | undefined,
): readonly ActiveStop[] {
  const { kubectl, recorded } = cluster.facts.stops;
  const scope: StopScope = `cluster/${cluster.name}`;
  const placed = { scope, strength: "move", from: "cluster", at: "" } as const;
  const stops: ActiveStop[] = kubectl
    ? [
        {
          ...placed,
          id: "kubectl",
          who: "kubectl",
          why: `ConfigMap meshroll-system/meshroll-stop exists in ${cluster.name}`,
        },
      ]
    : [];
  for (const [id, json] of Object.entries(recorded)) {
    if (ledger?.stops[id]?.lift !== undefined) continue;
    stops.push({ ...placed, id, who: "cluster", why: `recorded in meshroll-system/meshroll-recorded-stops: ${json}` });
  }
  return stops;
}

/** True when the stop's scope covers the subject. A campaign's stop binds its runs through `run/<id>` records. */
export function coversSubject(stop: Pick<ActiveStop, "scope">, subject: Subject): boolean {
  switch (stop.scope) {
    case "all":
    case `cluster/${subject.cluster}`:
    case `run/${subject.run}`:
    case `namespace/${subject.namespace}`:
    case `bucket/${subject.bucket}`:
      return true;
    default:
      return false;
  }
}

/** Every stop of strength `move` that is in force now, from all three places. */
export function collectMoveStops(
  ledger: LedgerState | undefined,
  asks: readonly Ask[],
  clusters: Iterable<Pick<ClusterWorld, "name" | "facts">>,
): readonly ActiveStop[] {
  const recorded = ledger === undefined ? [] : listRecordedStops(ledger);
  const stops: ActiveStop[] = recorded.map((stop) => ({ ...stop, from: "ledger" as const }));
  const known = new Set(ledger === undefined ? [] : Object.keys(ledger.asks));
  for (const ask of asks) {
    const asked = known.has(ask.id) ? undefined : readAskedStop(ask);
    if (asked !== undefined) stops.push(asked);
  }
  for (const cluster of clusters) stops.push(...readClusterStops(cluster, ledger));
  return stops.filter((stop) => stop.strength === "move");
}

/** True when the text is a scope of rules 7.1. */
export function isStopScope(text: string): text is StopScope {
  return text === "all" || /^(cluster|campaign|run|bucket|namespace)\/.+$/.test(text);
}
