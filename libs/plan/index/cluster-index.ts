import type { ClusterFacts, NamespaceInventory } from "#libs/fleet";

import {
  always,
  type ClusterContext,
  intersect,
  isValid,
  type JudgedWorkload,
  type Validity,
} from "../workloads/index.ts";
import { parseWorkloadName } from "../records/index.ts";
import { countOf, type IndexKeyCounts, hasAny } from "./index-key-counts.ts";
import type { IndexKey, MoveGroup, RunClass } from "./index-keys.ts";
import { judgeEntry, type Entry, type EntryMemory, makeEntryMemory } from "./judge-entry.ts";
import { NamespaceTree, type TreeNode } from "./namespace-tree.ts";

/** The workloads of a cluster, as one reconcile judged them. */
export interface JudgedWorkloads {
  count(indexKey: IndexKey): number;
  /** The workloads with one of these keys, in order. The cost is in what is taken. */
  list(...indexKeys: readonly IndexKey[]): Iterable<JudgedWorkload>;
  /** What `read` returns for the first `limit` workloads with this key. */
  collect<T>(indexKey: IndexKey, limit: number, read: Reader<T>): readonly T[];
  /** One workload, by `namespace/Kind/name`. */
  find(key: string): JudgedWorkload | undefined;
  /** All workloads of one namespace. */
  judge(namespace: string): readonly JudgedWorkload[];
  /** The groups in which workloads of a run's class move. */
  listGroups(run: string, runClass: RunClass): readonly MoveGroup[];
}

/** Used while there are no files to judge by. */
export const noWorkloads: JudgedWorkloads = {
  count: () => 0,
  list: () => [],
  collect: () => [],
  find: () => undefined,
  judge: () => [],
  listGroups: () => [],
};

/** The counts of everything below one node of the tree. */
interface Summary extends Validity {
  readonly counts: IndexKeyCounts;
  readonly entry: Entry;
  readonly left: Summary | undefined;
  readonly right: Summary | undefined;
  /** Results of earlier `collect` calls, the latest first; valid as long as the summary. */
  collected: Collected | undefined;
}

/** What `read` returned for the workloads with one key. */
interface Collected {
  readonly indexKey: number;
  readonly limit: number;
  readonly read: Reader<unknown>;
  readonly values: readonly unknown[];
  readonly next: Collected | undefined;
}

/** Reads something of a workload. Results are cached by the function, so it must be the same one each time. */
type Reader<T> = (each: JudgedWorkload) => T;

const remembered = new WeakMap<ClusterContext["ownerOf"], Map<string, EntryMemory>>();

/**
 * Caches judgements by what they depend on besides the namespace: ownership (head and ledger), and the cluster's control plane
 * with its sidecars and its version. Figures of proxies are left out: they change all the time.
 */
function recall({ cluster, ownerOf }: ClusterContext): EntryMemory {
  const plane = printPlane(cluster);
  const byPlane = remembered.get(ownerOf) ?? new Map<string, EntryMemory>();
  remembered.set(ownerOf, byPlane);
  const known = byPlane.get(plane) ?? makeEntryMemory();
  byPlane.set(plane, known);
  return known;
}

const printedPlanes = new WeakMap<ClusterFacts, string>();

/** Published facts never change, so the text is cached by their object. */
function printPlane({ name, facts }: ClusterContext["cluster"]): string {
  const printed = printedPlanes.get(facts);
  if (printed !== undefined) return `${name} ${printed}`;
  const { revisions, tags, injection = {} } = facts;
  const planes = revisions.map(({ name, webhook, istiod, proxyImage, version }) => {
    return [name, webhook, istiod, proxyImage, version];
  });
  const injected = Object.entries(injection).map(([label, proof]) => [
    label,
    "image" in proof ? proof.image : undefined,
  ]);
  const text = JSON.stringify([planes, tags, injected]);
  printedPlanes.set(facts, text);
  return `${name} ${text}`;
}

interface Mirror {
  readonly seen: Map<string, NamespaceInventory>;
  tree: NamespaceTree;
}

const mirrors = new WeakMap<ReadonlyMap<string, NamespaceInventory>, Mirror>();

/** A map that is not a tree may be changed by its owner, so its content is compared with the previous one, name by name. */
function mirror(namespaces: ReadonlyMap<string, NamespaceInventory>): NamespaceTree {
  if (namespaces instanceof NamespaceTree) return namespaces;
  const known = mirrors.get(namespaces) ?? { seen: new Map(), tree: NamespaceTree.empty };
  mirrors.set(namespaces, known);
  for (const [name, inventory] of namespaces) {
    if (known.seen.get(name) === inventory) continue;
    known.seen.set(name, inventory);
    known.tree = known.tree.with(name, inventory);
  }
  if (known.seen.size === namespaces.size) return known.tree;
  for (const name of known.seen.keys()) {
    if (namespaces.has(name)) continue;
    known.seen.delete(name);
    known.tree = known.tree.without(name);
  }
  return known.tree;
}

/** Judges and counts for one question, as far as that was not done before. */
class Counter {
  readonly #question: ClusterContext;
  readonly #known: EntryMemory;

  constructor(question: ClusterContext, known: EntryMemory) {
    this.#question = question;
    this.#known = known;
  }

  judge(inventory: NamespaceInventory): Entry {
    return judgeEntry(this.#question, this.#known, inventory);
  }

  #judgeAt(node: TreeNode): Entry {
    const before = node.recallOwn(this.#known) as Entry | undefined;
    if (before !== undefined && isValid(before.validity, this.#question)) return before;
    const entry = this.judge(node.inventory);
    node.noteOwn(this.#known, entry);
    return entry;
  }

  count(node: TreeNode | undefined): Summary | undefined {
    if (node === undefined) return undefined;
    // Only this class stores values under this key.
    const before = node.recall(this.#known) as Summary | undefined;
    if (before !== undefined && isValid(before, this.#question)) return before;
    const entry = this.#judgeAt(node);
    const [left, right] = [this.count(node.left), this.count(node.right)];
    const counts = this.#known.adder.add(entry.counts, left?.counts, right?.counts);
    const { from, until, waits } = intersect(intersect(entry.validity, left ?? always), right ?? always);
    const summary = { counts, entry, left, right, from, until, waits, collected: undefined };
    node.note(this.#known, summary);
    return summary;
  }
}

/** In order, without nodes that have none of the keys. */
function* walk(summary: Summary | undefined, indexKeys: readonly number[]): Generator<Entry, undefined> {
  const path: Summary[] = [];
  let at = summary;
  while (at !== undefined || path.length > 0) {
    if (at !== undefined && hasAny(at.counts, indexKeys)) {
      path.push(at);
      at = at.left;
      continue;
    }
    const next = path.pop();
    if (next !== undefined && hasAny(next.entry.counts, indexKeys)) yield next.entry;
    at = next?.right;
  }
}

function findCollected(
  { collected }: Summary,
  indexKey: number,
  limit: number,
  read: Reader<unknown>,
): readonly unknown[] | undefined {
  let at = collected;
  while (at !== undefined && (at.indexKey !== indexKey || at.limit !== limit || at.read !== read)) at = at.next;
  return at?.values;
}

const none: readonly never[] = [];

/** Returns the same list where nothing is added, as for most nodes. */
function append<T>(list: readonly T[], more: readonly T[]): readonly T[] {
  if (list.length === 0 || more.length === 0) return list.length === 0 ? more : list;
  return [...list, ...more];
}

function readEntry<T>({ counts, states, indexKeys }: Entry, indexKey: number, read: Reader<T>): readonly T[] {
  if (countOf(counts, indexKey) === 0) return none;
  return states.filter((_, index) => countOf(indexKeys[index] ?? none, indexKey) > 0).map(read);
}

/** In order; nothing beyond the limit is read. */
function join<T>({ left, entry, right }: Summary, indexKey: number, limit: number, read: Reader<T>): readonly T[] {
  const before = collect(left, indexKey, limit, read);
  if (before.length >= limit) return before;
  const first = append(before, readEntry(entry, indexKey, read));
  const all = first.length >= limit ? first : append(first, collect(right, indexKey, limit, read));
  return all.length > limit ? all.slice(0, limit) : all;
}

/** The first `limit` below one node, assembled from the results of its children. */
function collect<T>(summary: Summary | undefined, indexKey: number, limit: number, read: Reader<T>): readonly T[] {
  if (summary === undefined || countOf(summary.counts, indexKey) === 0) return none;
  // Results of one reader have its type.
  const known = findCollected(summary, indexKey, limit, read) as readonly T[] | undefined;
  if (known !== undefined) return known;
  const values = join(summary, indexKey, limit, read);
  summary.collected = { indexKey, limit, read, values, next: summary.collected };
  return values;
}

/**
 * The judgements of all workloads of a cluster, and their counts. A reconcile costs what changed since the last one: unchanged
 * nodes of the tree were counted before. The same facts always give the same answers.
 */
export class ClusterIndex implements JudgedWorkloads, Iterable<JudgedWorkload> {
  readonly #known: EntryMemory;
  readonly #counter: Counter;
  #counted: Summary | undefined;
  readonly tree: NamespaceTree;

  constructor(question: ClusterContext) {
    this.#known = recall(question);
    this.#counter = new Counter(question, this.#known);
    this.tree = mirror(question.cluster.namespaces);
  }

  /** Counted on demand: a caller that reads all workloads needs no counts. */
  get #summary(): Summary | undefined {
    this.#counted ??= this.#counter.count(this.tree.root);
    return this.#counted;
  }

  /** Indexes with the same basis judge the same namespace alike, except for what time changes. */
  get basis(): object {
    return this.#known;
  }

  count(indexKey: IndexKey): number {
    // Keys get their numbers when they are counted.
    const { counts } = this.#summary ?? { counts: [] };
    const number = this.#known.numbers.find(indexKey);
    return number === undefined ? 0 : countOf(counts, number);
  }

  /** All keys that occur. */
  listIndexKeys(): readonly IndexKey[] {
    const { counts } = this.#summary ?? { counts: [] };
    return this.#known.numbers.keys.filter((_, number) => countOf(counts, number) > 0);
  }

  listGroups(run: string, runClass: RunClass): readonly MoveGroup[] {
    const { counts } = this.#summary ?? { counts: [] };
    return [...this.#known.numbers.listGroups(run, runClass)].flatMap(({ group, number }) =>
      countOf(counts, number) > 0 ? [group] : [],
    );
  }

  *list(...indexKeys: readonly IndexKey[]): Generator<JudgedWorkload, undefined> {
    const summary = this.#summary;
    const numbers = indexKeys.flatMap((indexKey) => this.#known.numbers.find(indexKey) ?? []);
    for (const { states, indexKeys: counted } of walk(summary, numbers)) {
      // By index, because a pair for each workload would be garbage, and a batch takes one of each namespace.
      for (let at = 0; at < states.length; at += 1) {
        const each = states[at];
        if (each !== undefined && hasAny(counted[at] ?? none, numbers)) yield each;
      }
    }
  }

  collect<T>(indexKey: IndexKey, limit: number, read: Reader<T>): readonly T[] {
    const summary = this.#summary;
    const number = this.#known.numbers.find(indexKey);
    return number === undefined ? none : collect(summary, number, limit, read);
  }

  judge(namespace: string): readonly JudgedWorkload[] {
    const inventory = this.tree.get(namespace);
    return inventory === undefined ? [] : this.#counter.judge(inventory).states;
  }

  find(key: string): JudgedWorkload | undefined {
    return this.judge(parseWorkloadName(key).namespace).find((each) => each.key === key);
  }

  /** All workloads, in the order of their keys. */
  *[Symbol.iterator](): Generator<JudgedWorkload, undefined> {
    for (const inventory of this.tree.values()) yield* this.#counter.judge(inventory).states;
  }
}
