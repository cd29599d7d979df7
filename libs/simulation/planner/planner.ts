import { findShareCluster } from "#libs/input";
import {
  type Decision,
  decide,
  findCampaign,
  isLedgerDecision,
  type LedgerDecision,
  parseTime,
  settingsOf,
  type Snapshot,
} from "#libs/plan";

import type { SimulatedCluster } from "../cluster/simulated-cluster.ts";
import type { SimulationSnapshot } from "../cluster/simulation-world.ts";

/** A chain of transitions longer than this means that a decision does not settle: our bug, and nothing to loop on. */
const longestChain = 1000;

/** What one reconcile found, after everything that it asked for was recorded. */
export interface PlannerReconcile {
  readonly snapshot: Snapshot;
  readonly decisions: readonly Decision[];
}

/** The earliest time at which a wait ends by itself, by cluster; under "" those of no cluster. */
function collectEnds(decisions: readonly Decision[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const each of decisions) {
    if (each.kind !== "wait" || each.reason.until === undefined) continue;
    const name = findShareCluster(each.scope) ?? "";
    ends.set(name, Math.min(parseTime(each.reason.until), ends.get(name) ?? Infinity));
  }
  return ends;
}

/**
 * The planner of a simulation: the same `decide`. When all that happened is that a cluster's batch settled, or its delay is
 * over, it looks at that cluster alone; a transition, or a cluster that has nothing to wait for, makes it look at all.
 */
export class SimulatedPlanner {
  readonly #snapshot: SimulationSnapshot;
  readonly #isThorough: boolean;
  readonly #onTransition: (turned: LedgerDecision) => void;
  /** By cluster: when what it waits for ends; under "" what belongs to no cluster. */
  readonly #ends = new Map<string, number>();
  /** Clusters whose delay runs, though there was no reconcile since their batch settled. */
  readonly #delayed = new Set<string>();
  /** Clusters that can be different; undefined = anything can. */
  #changed: Set<string> | undefined;
  /** By cluster: its waits as they were told last; under "" those of no cluster. */
  #waits: ReadonlyMap<string, readonly Decision[]> = new Map();
  #last: PlannerReconcile | undefined;
  reconciles = 0;

  constructor(snapshot: SimulationSnapshot, isThorough: boolean, onTransition: (turned: LedgerDecision) => void) {
    this.#snapshot = snapshot;
    this.#isThorough = isThorough;
    this.#onTransition = onTransition;
  }

  /** One cluster's batch settled. */
  noticeCluster(name: string): void {
    this.#changed?.add(name);
  }

  /**
   * A batch settled as one. Where more is due the next one waits for its delay, whatever else is true: nothing is decided
   * before, and the reconcile is saved. Half of all reconciles of a campaign without windows are these.
   */
  noticeSettled(cluster: SimulatedCluster): void {
    const until = this.#findDelayEnd(cluster);
    if (until === undefined) this.noticeCluster(cluster.name);
    else {
      this.#ends.set(cluster.name, until);
      this.#delayed.add(cluster.name);
    }
  }

  /** A cluster waits for the delay between two batches that no reconcile has told of. */
  get isDelaying(): boolean {
    return this.#delayed.size > 0;
  }

  #findDelayEnd({ isTroubled, left }: SimulatedCluster): number | undefined {
    const { openRun, head, now } = this.#snapshot;
    if (openRun === undefined || isTroubled || left <= 0) return undefined;
    const { windows, freezes, batch } = settingsOf(head, openRun);
    const isOpenAlways = windows.length === 0 && freezes.length === 0;
    return isOpenAlways && batch.delayBetweenBatches > 0 ? now + batch.delayBetweenBatches : undefined;
  }

  /** Something happened that decisions about any cluster may rest on. */
  noticeAll(): void {
    this.#changed = undefined;
  }

  /** When the next wait ends. */
  get nextAt(): number {
    return Math.min(Infinity, ...this.#ends.values());
  }

  /** Waits that are over by now. */
  #noticeEnds(): void {
    for (const [name, at] of this.#ends) {
      if (at > this.#snapshot.now) continue;
      this.#ends.delete(name);
      this.#delayed.delete(name);
      if (name === "") this.noticeAll();
      else this.noticeCluster(name);
    }
  }

  /** One reconcile, transitions included; the batches that it hands out are the caller's. */
  reconcile(): PlannerReconcile {
    this.#noticeEnds();
    if (this.#changed?.size === 0 && this.#last !== undefined) return this.#last;
    const seen = this.#lookAtSome() ?? this.#lookAtAll();
    this.#changed = this.#isThorough ? undefined : new Set();
    for (const [name, at] of collectEnds(seen.decisions)) this.#ends.set(name, at);
    this.#noteWaits(seen);
    // What was handed out is: another look at the same would hand nothing out.
    this.#last = { ...seen, decisions: [...this.#waits.values()].flat() };
    return { ...seen, decisions: [...this.#last.decisions, ...seen.decisions.filter(({ kind }) => kind !== "wait")] };
  }

  /** What clusters wait for that were not looked at now still holds. */
  #noteWaits({ snapshot, decisions }: PlannerReconcile): void {
    const kept = [...this.#waits].filter(([name]) => name !== "" && !snapshot.clusters.has(name));
    const told = Map.groupBy(
      decisions.filter((each) => each.kind === "wait"),
      ({ scope }) => findShareCluster(scope) ?? "",
    );
    this.#waits = new Map([...kept, ...told]);
  }

  /** Undefined where the clusters that changed do not report all. */
  #lookAtSome(): PlannerReconcile | undefined {
    const names = this.#changed;
    if (names === undefined) return undefined;
    const seen = this.#decide(names);
    if (seen.decisions.some(isLedgerDecision)) return undefined;
    const decisions = seen.decisions.filter((each) => !isOfAnother(each, names));
    const ends = collectEnds(decisions);
    const busy = new Set(decisions.flatMap((each) => (each.kind === "handOut" ? each.batch.cluster : [])));
    const isAtWork = (name: string) => this.#snapshot.clusters.get(name)?.isAtWork === true;
    const isThrough = (name: string) => !ends.has(name) && !busy.has(name) && !isAtWork(name);
    if ([...names].some(isThrough) && !this.#isOthersTurn(names)) return undefined;
    return { ...seen, decisions };
  }

  /** A cluster that is through opens no wave and ends no run while another one of the same wave is at work. */
  #isOthersTurn(names: ReadonlySet<string>): boolean {
    const { openRun, head, clusters } = this.#snapshot;
    const { order, concurrency } = findCampaign(head, openRun)?.clusters ?? { order: [] };
    if (order.length > 0 || concurrency !== undefined) return false;
    return [...clusters].some(([name, { isAtWork }]) => !names.has(name) && (isAtWork || this.#ends.has(name)));
  }

  #decide(names?: Iterable<string>): PlannerReconcile {
    this.reconciles += 1;
    const snapshot = this.#snapshot.reconcile(names);
    return { snapshot, decisions: decide(snapshot) };
  }

  /** Transitions until the snapshot asks for no more. */
  #lookAtAll(): PlannerReconcile {
    this.#ends.clear();
    this.#delayed.clear();
    this.#waits = new Map();
    for (let step = 0; step < longestChain; step += 1) {
      const seen = this.#decide();
      const turned = seen.decisions.find(isLedgerDecision);
      if (turned === undefined) return seen;
      this.#snapshot.record(turned.change);
      this.#onTransition(turned);
    }
    throw new Error(`bug: ${longestChain} transitions in a row without settling`);
  }
}

/** A wait for a cluster that was not looked at: not seen is all that it says. */
function isOfAnother(each: Decision, names: ReadonlySet<string>): boolean {
  const name = each.kind === "wait" ? findShareCluster(each.scope) : undefined;
  return name !== undefined && !names.has(name);
}
