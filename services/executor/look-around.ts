import type { ActiveStop, ClusterWorld, ExecutorWorld, LedgerState, Spec, Standings } from "#libs/plan";
import { ClusterIndex, collectMoveStops, createOwnership, nobody } from "#libs/plan";
import type { Cluster } from "#libs/kube";
import type { Mainline, MainlineView } from "#libs/mainline";
import type { Clock } from "#libs/runtime";

import type { ControlView } from "./follow-control.ts";
import type { PendingWrites } from "./pending-writes.ts";

/** What the executor of one cluster looks at before it writes: its own cache, its own newest main, control. */
export interface Surroundings {
  readonly cluster: Cluster;
  readonly mode: "observe" | "act";
  readonly mainline: Mainline;
  readonly control: ControlView;
  readonly pending: PendingWrites;
  readonly clock: Clock;
}

/** The executor's world, with where each workload of its cluster stands by it. */
export interface Lookout {
  readonly world: ExecutorWorld;
  /** Head's files, or the last that parsed: what moves is watched to its end also while main does not parse. */
  readonly spec: Spec | undefined;
  readonly judged: Standings;
}

/** The API server said nothing for so long: what is cached is not known any more, real ms (rules 9.1). */
const cacheLimitMs = 60_000;

function describeCluster({ cluster, mode, clock }: Surroundings): ClusterWorld {
  const ageMs = clock.monotonic() - cluster.view.seenAtMonotonic();
  return {
    name: cluster.name,
    facts: { ...cluster.view.facts(), mode, problems: [] },
    namespaces: cluster.view.namespaces,
    ageMs,
    fresh: ageMs <= cacheLimitMs,
    batch: undefined,
    batchEndedAt: 0,
  };
}

/**
 * Control is only worth what this process can check itself: a commit it names and we lack makes it unknown (rules 4.3). A
 * ledger that is older than control's may lack a stop whose verb has left the bus already.
 */
function judgeControl(
  { control }: Surroundings,
  view: MainlineView | undefined,
  hasMain: boolean,
): "fresh" | "stale" | "ahead" {
  const state = control.state();
  if (state === undefined || view === undefined || !control.isFresh()) return "stale";
  if (state.ledger !== undefined && (view.ledger?.sequence ?? -1) < state.sequence) return "ahead";
  return hasMain ? "fresh" : "ahead";
}

/** Where everybody stands by these files, or nobody while there are none. */
function judgeAll(
  { clock }: Surroundings,
  cluster: ClusterWorld,
  view: MainlineView | undefined,
  ledger: LedgerState | undefined,
  spec: Spec | undefined,
  stops: readonly ActiveStop[],
): Standings {
  if (spec === undefined || view === undefined) return nobody;
  const ownerOf = createOwnership(spec, ledger, view.specs, stops);
  return new ClusterIndex({ cluster, head: spec, ownerOf, now: clock.now(), waitingSince: new Map() });
}

/** Main and ledger as this process last read them; without the ledger while main does not contain it. */
function readMainline(view: MainlineView | undefined): {
  readonly head: Spec | undefined;
  readonly ledger: LedgerState | undefined;
  readonly spec: Spec | undefined;
} {
  const head = view?.specs.get(view.main.head);
  const ledger = view?.main.contained === true ? view.ledger : undefined;
  return { head, ledger, spec: head ?? view?.specs.get(ledger?.judged ?? "") };
}

/** Looks around once; everything in the answer is of this moment. */
export async function lookAround(surroundings: Surroundings): Promise<Lookout> {
  const named = surroundings.control.state()?.main;
  const hasMain = named !== undefined && (await surroundings.mainline.contains(named));
  // Everything below is read in one turn, after the only wait: nothing in it is older than the rest.
  const view = surroundings.mainline.view();
  const control = judgeControl(surroundings, view, hasMain);
  const cluster = describeCluster(surroundings);
  const { head, ledger, spec } = readMainline(view);
  const stops = collectMoveStops(ledger, surroundings.control.asks(), [cluster]);
  const judged = judgeAll(surroundings, cluster, view, ledger, spec, stops);
  const rolling = new Set([...judged.list("rolling")].map((each) => each.key));
  for (const key of surroundings.pending.keys()) rolling.add(key);
  const world: ExecutorWorld = {
    control,
    mainAgeMs: view?.main.ageMs ?? Number.POSITIVE_INFINITY,
    head,
    settings: spec?.settings,
    now: surroundings.clock.now(),
    ledger,
    stops,
    cluster,
    judged,
    rolling,
  };
  return { world, spec, judged };
}
