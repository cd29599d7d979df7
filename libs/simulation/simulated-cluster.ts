import type { ClusterFacts, NamespaceInventory, Workload } from "#libs/fleet";
import { type Batch, type ClusterWorld, NamespaceTree, type ProgressMemory } from "#libs/plan";

import { replaceWorkloads } from "./change-object.ts";

/** A cluster as its executor published it: where a simulation begins. */
export interface ClusterSnapshot {
  readonly name: string;
  readonly facts: ClusterFacts;
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
}

/** The batch that a cluster has in hand. */
export interface HeldBatch {
  readonly batch: Batch;
  /** Those of it that have not settled, `namespace/Kind/name`. */
  readonly open: Set<string>;
}

/** One cluster whose workloads a simulation moves. What `world` answered stays true: every change makes another one. */
export class SimulatedCluster {
  readonly name: string;
  readonly facts: ClusterFacts;
  /** By `namespace/Kind/name`: as it was before the move that may have to be undone. */
  readonly originals = new Map<string, Workload>();
  /** What was seen of moving workloads: since when they made no progress. */
  readonly progress: ProgressMemory = new Map();
  /** Something here fails, or failed: each of its steps is looked after. */
  isTroubled = false;
  /** Rollouts of moves that have not been published as through, outside of a batch that settles as one. */
  rolling = 0;
  /** Everything, but for what changed since the focus. */
  #all: NamespaceTree;
  /** What a planner is shown: `#all`, or what the open run can concern. */
  #shown: NamespaceTree;
  /** Namespaces that are shown and differ from `#all`. */
  readonly #differing = new Set<string>();
  #held: HeldBatch | undefined;
  #batchEndedAt: number;
  #world: ClusterWorld | undefined;

  constructor({ name, facts, namespaces }: ClusterSnapshot, start: number) {
    this.name = name;
    // What an observer saw is asked what would happen if it moved.
    this.facts = { ...facts, mode: "act" };
    this.#all = namespaces instanceof NamespaceTree ? namespaces : NamespaceTree.from(namespaces);
    this.#shown = this.#all;
    // A planner counts the delay between batches from its own start; in a simulation nobody has waited for it yet.
    this.#batchEndedAt = start - 365 * 86_400_000;
  }

  get held(): HeldBatch | undefined {
    return this.#held;
  }

  /** Something comes to its end here by itself. */
  get isAtWork(): boolean {
    return this.#held !== undefined || this.rolling > 0;
  }

  /** As a planner that reads the inventory sees it now. */
  get world(): ClusterWorld {
    this.#world ??= {
      name: this.name,
      facts: this.facts,
      fresh: true,
      ageMs: 0,
      namespaces: this.#shown,
      batch: this.#describeBatch(),
      batchEndedAt: this.#batchEndedAt,
    };
    return this.#world;
  }

  #describeBatch(): ClusterWorld["batch"] {
    if (this.#held === undefined) return undefined;
    const { run, commit } = this.#held.batch;
    return { run, commit, state: "active", workloads: [...this.#held.open] };
  }

  find(namespace: string): NamespaceInventory | undefined {
    return this.#shown.get(namespace) ?? this.#all.get(namespace);
  }

  /** Namespaces as they are from now on. */
  put(inventory: NamespaceInventory): void {
    const { name } = inventory.namespace;
    this.#differing.add(name);
    this.#shown = this.#shown.with(name, inventory);
    this.#world = undefined;
  }

  /** Shows everything. */
  showAll(): void {
    if (this.#shown === this.#all) return;
    for (const name of this.#differing) {
      const inventory = this.#shown.get(name);
      if (inventory !== undefined) this.#all = this.#all.with(name, inventory);
    }
    this.#differing.clear();
    this.#shown = this.#all;
    this.#world = undefined;
  }

  /** Shows only what decisions may rest on while one run is open: a planner looks at the rest again and again for nothing. */
  showOnly(isConcerned: (inventory: NamespaceInventory) => boolean): void {
    this.showAll();
    this.#shown = NamespaceTree.from([...this.#all].filter(([, inventory]) => isConcerned(inventory)));
    this.#world = undefined;
  }

  /** Workloads as they are from now on; each namespace is put once. */
  putWorkloads(workloads: Iterable<Workload>): void {
    for (const [name, changed] of Map.groupBy(workloads, ({ namespace }) => namespace)) {
      const inventory = this.find(name);
      if (inventory !== undefined) this.put(replaceWorkloads(inventory, changed));
    }
  }

  hold(held: HeldBatch): void {
    this.#held = held;
    this.#world = undefined;
  }

  /** The batch is over; the delay to the next one counts from `now`. */
  release(now: number): void {
    this.#held = undefined;
    this.#batchEndedAt = now;
    this.#world = undefined;
  }
}
