import type { ClusterFacts, NamespaceInventory, Workload } from "#libs/fleet";
import { type Batch, type ClusterSnapshot, NamespaceTree, type ProgressMemory } from "#libs/plan";

import { type Place, replaceWorkloads } from "./change-object.ts";
import type { RecordPool } from "./record-pool.ts";

/** A cluster as its executor published it: where a simulation begins. */
export interface StartCluster {
  readonly name: string;
  readonly facts: ClusterFacts;
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
}

/** The batch that a cluster has in hand. */
export interface HeldBatch {
  readonly batch: Batch;
  /** Those of it that have not settled, `namespace/Kind/name`; a list where all of them settle at once. */
  readonly open: Set<string> | readonly string[];
}

/** What one commit asks for, by namespace. */
export type RevisionOf = (namespace: string) => string;

function isWhole({ pods, replicas, available, updated, total }: Workload, revision: string): boolean {
  const isReady = available >= replicas && updated === replicas && total === replicas;
  return isReady && pods.length === 1 && pods[0]?.revision === revision;
}

/** One cluster whose workloads a simulation moves. What `snapshot` answered stays true: every change makes another one. */
export class SimulatedCluster {
  readonly name: string;
  readonly facts: ClusterFacts;
  readonly pool: RecordPool;
  /** By `namespace/Kind/name`: as it was before the move that may have to be undone. */
  readonly originals = new Map<string, Workload>();
  /** What was seen of moving workloads: since when they made no progress. */
  progress: ProgressMemory = new Map();
  /** Something here fails, or failed: each of its steps is looked after. */
  isTroubled = false;
  /** How many were due when its batch was handed out, without those of the batch. */
  left = 0;
  /** Rollouts of moves that have not been published as through, outside of a batch that settles as one. */
  rolling = 0;
  /** By name: every namespace as it is now. */
  readonly #now: Map<string, NamespaceInventory>;
  /** By name: what was found at rest, as it was then, and the revision that all of it runs. */
  readonly #atRest = new Map<string, { readonly inventory: NamespaceInventory; readonly revision: string }>();
  /** Everything, but for what changed since the focus. */
  #all: NamespaceTree;
  /** What a planner is shown: `#all`, or what the open run can concern. */
  #shown: NamespaceTree;
  /** Namespaces that differ from `#all`. */
  readonly #differing = new Set<string>();
  #held: HeldBatch | undefined;
  #batchEndedAt: number;
  #snapshot: ClusterSnapshot | undefined;

  constructor({ name, facts, namespaces }: StartCluster, start: number, pool: RecordPool) {
    this.name = name;
    this.pool = pool;
    // What an observer saw is asked what would happen if it moved.
    this.facts = { ...facts, mode: "act" };
    this.#all = namespaces instanceof NamespaceTree ? namespaces : NamespaceTree.from(namespaces);
    this.#shown = this.#all;
    this.#now = new Map(this.#all);
    // A planner counts the delay between batches from its own start; in a simulation it has not been waited for yet.
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
  get snapshot(): ClusterSnapshot {
    this.#snapshot ??= {
      name: this.name,
      facts: this.facts,
      fresh: true,
      ageMs: 0,
      namespaces: this.#shown,
      batch: this.#describeBatch(),
      batchEndedAt: this.#batchEndedAt,
    };
    return this.#snapshot;
  }

  #describeBatch(): ClusterSnapshot["batch"] {
    return this.#held === undefined ? undefined : { run: this.#held.batch.run, state: "active" };
  }

  find(namespace: string): NamespaceInventory | undefined {
    return this.#now.get(namespace);
  }

  /** What injects the pods of a namespace as it is. */
  placeIn({ namespace }: NamespaceInventory): Place {
    return { namespace, cluster: this.facts, pool: this.pool };
  }

  /** Namespaces as they are from now on. */
  put(inventory: NamespaceInventory): void {
    const { name } = inventory.namespace;
    this.#differing.add(name);
    this.#now.set(name, inventory);
    this.#shown = this.#shown.with(name, inventory);
    this.#snapshot = undefined;
  }

  /** Shows everything. */
  showAll(): void {
    if (this.#shown === this.#all) return;
    for (const name of this.#differing) {
      const inventory = this.#now.get(name);
      if (inventory !== undefined) this.#all = this.#all.with(name, inventory);
    }
    this.#differing.clear();
    this.#shown = this.#all;
    this.#snapshot = undefined;
  }

  /** Shows only what decisions may rest on while one run is open: a planner looks at the rest again and again for nothing. */
  showOnly(was: RevisionOf, is: RevisionOf): void {
    this.showAll();
    let shown = NamespaceTree.empty;
    for (const [name, inventory] of this.#now) {
      const revision = is(name);
      if (was(name) !== revision || !this.#isAtRest(inventory, revision)) shown = shown.with(name, inventory);
    }
    this.#shown = shown;
    this.#snapshot = undefined;
  }

  /** All of it plainly runs what it should: no run wants it, and nothing of it counts as missing. */
  #isAtRest(inventory: NamespaceInventory, revision: string): boolean {
    const { name } = inventory.namespace;
    const known = this.#atRest.get(name);
    if (known?.inventory === inventory && known.revision === revision) return true;
    const isIt = inventory.workloads.every((each) => isWhole(each, revision));
    if (isIt) this.#atRest.set(name, { inventory, revision });
    return isIt;
  }

  /** Workloads as they are from now on; each namespace is put once. */
  putWorkloads(workloads: readonly Workload[]): void {
    const changed = workloads.map((before) => ({ before }));
    this.changeWorkloads(changed, ({ before }) => before);
  }

  /** Workloads as `change` leaves them; those of one namespace come together, and it is put once. */
  changeWorkloads<T extends { readonly before: Workload }>(
    all: readonly T[],
    change: (each: T, place: Place) => Workload,
  ): void {
    for (let from = 0; from < all.length;) {
      const name = all[from]?.before.namespace ?? "";
      let to = from + 1;
      while (all[to]?.before.namespace === name) to += 1;
      const inventory = this.find(name);
      if (inventory !== undefined) {
        const place = this.placeIn(inventory);
        const changed = all.slice(from, to).map((each) => change(each, place));
        this.put(replaceWorkloads(inventory, changed));
      }
      from = to;
    }
  }

  hold(held: HeldBatch): void {
    this.#held = held;
    this.#snapshot = undefined;
  }

  /** The batch is over; the delay to the next one counts from `now`. */
  release(now: number): void {
    this.#held = undefined;
    this.#batchEndedAt = now;
    this.#snapshot = undefined;
  }
}
