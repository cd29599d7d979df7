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

/** A longer chain of transitions means that a decision does not settle: a bug of ours, which must not loop. */
const longestChain = 1000;

/** The result of one reconcile, after its transitions were recorded. */
export interface PlannerReconcile {
  readonly snapshot: Snapshot;
  readonly decisions: readonly Decision[];
}

/** The earliest end of a wait, by cluster; under "" those without a cluster. */
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
 * The planner of a simulation, with the same `decide`. After a batch settled or a delay ended it reconciles only that cluster;
 * after a transition, or when a cluster has nothing to wait for, it reconciles all.
 */
export class SimulatedPlanner {
  readonly #snapshot: SimulationSnapshot;
  readonly #isThorough: boolean;
  readonly #onTransition: (turned: LedgerDecision) => void;
  /** By cluster: when its wait ends; under "" waits without a cluster. */
  readonly #ends = new Map<string, number>();
  /** Clusters in whose delay no reconcile took place since their batch settled. */
  readonly #delayed = new Set<string>();
  /** Clusters that may have changed; undefined = any may have. */
  #changed: Set<string> | undefined;
  /** The last waits by cluster; under "" those without a cluster. */
  #waits: ReadonlyMap<string, readonly Decision[]> = new Map();
  #last: PlannerReconcile | undefined;
  reconciles = 0;

  constructor(snapshot: SimulationSnapshot, isThorough: boolean, onTransition: (turned: LedgerDecision) => void) {
    this.#snapshot = snapshot;
    this.#isThorough = isThorough;
    this.#onTransition = onTransition;
  }

  /** Notes that a cluster's batch settled. */
  noticeCluster(name: string): void {
    this.#changed?.add(name);
  }

  /**
   * Notes that a batch settled at once. Where more is due, the next batch waits for its delay in any case, so no reconcile is
   * needed before. Half of all reconciles of a campaign without windows are saved by this.
   */
  noticeSettled(cluster: SimulatedCluster): void {
    const until = this.#findDelayEnd(cluster);
    if (until === undefined) this.noticeCluster(cluster.name);
    else {
      this.#ends.set(cluster.name, until);
      this.#delayed.add(cluster.name);
    }
  }

  /** Whether a cluster is in a delay between two batches that no reconcile has reported. */
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

  /** Notes a change that may affect decisions about any cluster. */
  noticeAll(): void {
    this.#changed = undefined;
  }

  /** When the next wait ends. */
  get nextAt(): number {
    return Math.min(Infinity, ...this.#ends.values());
  }

  /** Removes the waits that are over. */
  #noticeEnds(): void {
    for (const [name, at] of this.#ends) {
      if (at > this.#snapshot.now) continue;
      this.#ends.delete(name);
      this.#delayed.delete(name);
      if (name === "") this.noticeAll();
      else this.noticeCluster(name);
    }
  }

  /** One reconcile with its transitions. The caller carries out the batches that it hands out. */
  reconcile(): PlannerReconcile {
    this.#noticeEnds();
    if (this.#changed?.size === 0 && this.#last !== undefined) return this.#last;
    const seen = this.#lookAtSome() ?? this.#lookAtAll();
    this.#changed = this.#isThorough ? undefined : new Set();
    for (const [name, at] of collectEnds(seen.decisions)) this.#ends.set(name, at);
    this.#noteWaits(seen);
    // Those batches are handed out now, so the last result must not repeat them.
    this.#last = { ...seen, decisions: [...this.#waits.values()].flat() };
    return { ...seen, decisions: [...this.#last.decisions, ...seen.decisions.filter(({ kind }) => kind !== "wait")] };
  }

  /** Keeps the waits of clusters that were not part of this reconcile. */
  #noteWaits({ snapshot, decisions }: PlannerReconcile): void {
    const kept = [...this.#waits].filter(([name]) => name !== "" && !snapshot.clusters.has(name));
    const told = Map.groupBy(
      decisions.filter((each) => each.kind === "wait"),
      ({ scope }) => findShareCluster(scope) ?? "",
    );
    this.#waits = new Map([...kept, ...told]);
  }

  /** Undefined where a reconcile of the changed clusters does not suffice. */
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

  /** A cluster with nothing left opens no wave and ends no run while another one of the same wave has work. */
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

  /** Applies transitions until there are none. */
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

/** Whether the wait is about a cluster that was left out of this reconcile, and only says that it is not seen. */
function isOfAnother(each: Decision, names: ReadonlySet<string>): boolean {
  const name = each.kind === "wait" ? findShareCluster(each.scope) : undefined;
  return name !== undefined && !names.has(name);
}
