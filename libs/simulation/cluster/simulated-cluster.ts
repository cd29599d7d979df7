import type { ClusterFacts, NamespaceInventory, Workload } from "#libs/fleet";
import { type Batch, type ClusterSnapshot, NamespaceTree, type ProgressMemory } from "#libs/plan";

import { type Place, replaceWorkloads } from "./change-object.ts";
import type { RecordPool } from "./record-pool.ts";

/** A cluster as its executor published it: the start of a simulation. */
export interface StartCluster {
  readonly name: string;
  readonly facts: ClusterFacts;
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
}

/** The batch that a cluster carries out. */
export interface HeldBatch {
  readonly batch: Batch;
  /** Its workloads that have not settled, `namespace/Kind/name`; a list where all of them settle at once. */
  readonly open: Set<string> | readonly string[];
}

/** The desired revision of a namespace by one commit. */
export type RevisionOf = (namespace: string) => string;

function isWhole({ pods, replicas, available, updated, total }: Workload, revision: string): boolean {
  const isReady = available >= replicas && updated === replicas && total === replicas;
  return isReady && pods.length === 1 && pods[0]?.revision === revision;
}

/**
 * One cluster whose workloads are moved in a simulation. Earlier results of `snapshot` stay valid, because every change makes a
 * new one.
 */
export class SimulatedCluster {
  readonly name: string;
  readonly facts: ClusterFacts;
  readonly pool: RecordPool;
  /** By `namespace/Kind/name`: the workload before a move that may have to be undone. */
  readonly originals = new Map<string, Workload>();
  /** When moving workloads last made progress. */
  progress: ProgressMemory = new Map();
  /** Something in this cluster fails or has failed, so remediation is planned after each step. */
  isTroubled = false;
  /** How many workloads were due when its batch was handed out, without those of the batch. */
  left = 0;
  /** Rollouts of moves that are not published as ended, without those of a batch that settles at once. */
  rolling = 0;
  /** By name: the present state of every namespace. */
  readonly #now: Map<string, NamespaceInventory>;
  /** By name: namespaces that were found at rest, with their state then, and the revision that all of it runs. */
  readonly #atRest = new Map<string, { readonly inventory: NamespaceInventory; readonly revision: string }>();
  /** All namespaces, without the changes since the last `showOnly`. */
  #all: NamespaceTree;
  /** What the planner sees: `#all`, or only what the open run may affect. */
  #shown: NamespaceTree;
  /** Namespaces that differ from `#all`. */
  readonly #differing = new Set<string>();
  #held: HeldBatch | undefined;
  #batchEndedAt: number;
  #snapshot: ClusterSnapshot | undefined;

  constructor({ name, facts, namespaces }: StartCluster, start: number, pool: RecordPool) {
    this.name = name;
    this.pool = pool;
    // The question is what would happen with `--act`, even where the executor only observes.
    this.facts = { ...facts, mode: "act" };
    this.#all = namespaces instanceof NamespaceTree ? namespaces : NamespaceTree.from(namespaces);
    this.#shown = this.#all;
    this.#now = new Map(this.#all);
    // A planner counts the delay between batches from its own start; in a simulation it counts as over at the start.
    this.#batchEndedAt = start - 365 * 86_400_000;
  }

  get held(): HeldBatch | undefined {
    return this.#held;
  }

  /** Whether an event of this cluster is pending. */
  get isAtWork(): boolean {
    return this.#held !== undefined || this.rolling > 0;
  }

  /** The cluster as a planner reads it now. */
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

  /** The facts that decide the injection of a namespace's pods now. */
  placeIn({ namespace }: NamespaceInventory): Place {
    return { namespace, cluster: this.facts, pool: this.pool };
  }

  /** Replaces a namespace. */
  put(inventory: NamespaceInventory): void {
    const { name } = inventory.namespace;
    this.#differing.add(name);
    this.#now.set(name, inventory);
    this.#shown = this.#shown.with(name, inventory);
    this.#snapshot = undefined;
  }

  /** Makes the planner see all namespaces. */
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

  /** Makes the planner see only the namespaces that decisions may depend on while one run is open, which saves time. */
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

  /** All of it runs the desired revision, so no run wants it and nothing counts as unavailable. */
  #isAtRest(inventory: NamespaceInventory, revision: string): boolean {
    const { name } = inventory.namespace;
    const known = this.#atRest.get(name);
    if (known?.inventory === inventory && known.revision === revision) return true;
    const isIt = inventory.workloads.every((each) => isWhole(each, revision));
    if (isIt) this.#atRest.set(name, { inventory, revision });
    return isIt;
  }

  /** Replaces workloads; each namespace is replaced once. */
  putWorkloads(workloads: readonly Workload[]): void {
    const changed = workloads.map((before) => ({ before }));
    this.changeWorkloads(changed, ({ before }) => before);
  }

  /** Changes workloads. Those of one namespace must be consecutive, so that it is replaced once. */
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

  /** Ends the batch; the delay to the next one counts from `now`. */
  release(now: number): void {
    this.#held = undefined;
    this.#batchEndedAt = now;
    this.#snapshot = undefined;
  }
}
