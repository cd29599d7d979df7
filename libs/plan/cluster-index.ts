import type { NamespaceInventory } from "#libs/fleet";

import type { ClusterQuestion } from "./cluster-question.ts";
import { addCounts, countOf, type FacetCounts, hasAny } from "./facet-counts.ts";
import type { Facet } from "./facets.ts";
import { judgeLeaf, type Leaf, type LeafMemory, makeLeafMemory } from "./judge-leaf.ts";
import { NamespaceTree, type TreeNode } from "./namespace-tree.ts";
import type { WorkloadStanding } from "./standing.ts";
import { always, intersect, isValid, type Validity } from "./validity.ts";

/** The workloads of a cluster, as one look judged them. */
export interface Standings {
  count(facet: Facet): number;
  /** Whoever is one of these, in the order of their keys. Costs what is taken of it. */
  list(...facets: readonly Facet[]): Iterable<WorkloadStanding>;
  /** What `read` says of the first so many that are this; one reader asks with one limit. */
  collect<T>(facet: Facet, limit: number, read: Reader<T>): readonly T[];
  /** One workload, by `namespace/Kind/name`. */
  find(key: string): WorkloadStanding | undefined;
}

/** While there are no files to judge by. */
export const nobody: Standings = { count: () => 0, list: () => [], collect: () => [], find: () => undefined };

/** All that is below one place of the tree, counted. */
interface Summary extends Validity {
  readonly counts: FacetCounts;
  readonly leaf: Leaf;
  readonly left: Summary | undefined;
  readonly right: Summary | undefined;
  /** What was collected here, the last first; true for as long as all the rest is. */
  collected: Collected | undefined;
}

/** What was read of those that are this. */
interface Collected {
  readonly facet: number;
  readonly read: Reader<unknown>;
  readonly values: readonly unknown[];
  readonly next: Collected | undefined;
}

/** What somebody wants to know of a workload; the same function each time, or nothing is found again. */
type Reader<T> = (each: WorkloadStanding) => T;

const remembered = new WeakMap<ClusterQuestion["ownerOf"], Map<string, LeafMemory>>();

/**
 * By what judgements rest on besides the namespace: the ownership (head and ledger), and the cluster's control plane. What
 * istiod reports is none of it: its figures change all the time, and all would be judged anew.
 */
function recall({ cluster, ownerOf }: ClusterQuestion): LeafMemory {
  const { revisions, tags } = cluster.facts;
  const planes = revisions.map(({ name, webhook, istiod }) => [name, webhook, istiod]);
  const plane = JSON.stringify([cluster.name, planes, tags]);
  const byPlane = remembered.get(ownerOf) ?? new Map<string, LeafMemory>();
  remembered.set(ownerOf, byPlane);
  const known = byPlane.get(plane) ?? makeLeafMemory();
  byPlane.set(plane, known);
  return known;
}

interface Mirror {
  readonly seen: Map<string, NamespaceInventory>;
  tree: NamespaceTree;
}

const mirrors = new WeakMap<ReadonlyMap<string, NamespaceInventory>, Mirror>();

/** A map that is not a tree may change under its owner's hands: it is compared, name by name, with what it was. */
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

/** Judges and counts by one question what was not judged and counted before. */
class Counter {
  readonly #question: ClusterQuestion;
  readonly #known: LeafMemory;

  constructor(question: ClusterQuestion, known: LeafMemory) {
    this.#question = question;
    this.#known = known;
  }

  judge(inventory: NamespaceInventory): Leaf {
    return judgeLeaf(this.#question, this.#known, inventory);
  }

  #judgeAt(node: TreeNode): Leaf {
    const before = node.recallOwn(this.#known) as Leaf | undefined;
    if (before !== undefined && isValid(before.validity, this.#question)) return before;
    const leaf = this.judge(node.inventory);
    node.noteOwn(this.#known, leaf);
    return leaf;
  }

  count(node: TreeNode | undefined): Summary | undefined {
    if (node === undefined) return undefined;
    // Only this class notes anything under what is known.
    const before = node.recall(this.#known) as Summary | undefined;
    if (before !== undefined && isValid(before, this.#question)) return before;
    const leaf = this.#judgeAt(node);
    const [left, right] = [this.count(node.left), this.count(node.right)];
    const counts = addCounts(leaf.counts, left?.counts, right?.counts);
    const { from, until, waits } = intersect(intersect(leaf.validity, left ?? always), right ?? always);
    const summary = { counts, leaf, left, right, from, until, waits, collected: undefined };
    node.note(this.#known, summary);
    return summary;
  }
}

/** In order, without what has none of the facets. */
function* walk(summary: Summary | undefined, facets: readonly number[]): Generator<Leaf, undefined> {
  const path: Summary[] = [];
  let at = summary;
  while (at !== undefined || path.length > 0) {
    if (at !== undefined && hasAny(at.counts, facets)) {
      path.push(at);
      at = at.left;
      continue;
    }
    const next = path.pop();
    if (next !== undefined && hasAny(next.leaf.counts, facets)) yield next.leaf;
    at = next?.right;
  }
}

function findCollected({ collected }: Summary, facet: number, read: Reader<unknown>): readonly unknown[] | undefined {
  let at = collected;
  while (at !== undefined && (at.facet !== facet || at.read !== read)) at = at.next;
  return at?.values;
}

const none: readonly never[] = [];

/** A list of before is given on as it is where nothing is put to it: most places have none of their own. */
function append<T>(list: readonly T[], more: readonly T[]): readonly T[] {
  if (list.length === 0 || more.length === 0) return list.length === 0 ? more : list;
  return [...list, ...more];
}

function readLeaf<T>({ counts, standings, facets }: Leaf, facet: number, read: Reader<T>): readonly T[] {
  if (countOf(counts, facet) === 0) return none;
  return standings.filter((_, index) => facets[index]?.includes(facet) === true).map(read);
}

/** In order; what is beyond the limit is not even looked at. */
function join<T>({ left, leaf, right }: Summary, facet: number, limit: number, read: Reader<T>): readonly T[] {
  const before = collect(left, facet, limit, read);
  if (before.length >= limit) return before;
  const first = append(before, readLeaf(leaf, facet, read));
  const all = first.length >= limit ? first : append(first, collect(right, facet, limit, read));
  return all.length > limit ? all.slice(0, limit) : all;
}

/** The first so many below one place: put together from what is known of the places under it. */
function collect<T>(summary: Summary | undefined, facet: number, limit: number, read: Reader<T>): readonly T[] {
  if (summary === undefined || countOf(summary.counts, facet) === 0) return none;
  // Under one reader there is nothing but what it read.
  const known = findCollected(summary, facet, read) as readonly T[] | undefined;
  if (known !== undefined) return known;
  const values = join(summary, facet, limit, read);
  summary.collected = { facet, read, values, next: summary.collected };
  return values;
}

/**
 * Where every workload of a cluster stands, counted by what it is. A look costs what changed since the last one: what is
 * below an unchanged place of the tree was counted before. Two looks at the same facts give the same answer, whatever was
 * looked at in between.
 */
export class ClusterIndex implements Standings, Iterable<WorkloadStanding> {
  readonly #known: LeafMemory;
  readonly #counter: Counter;
  #counted: Summary | undefined;
  readonly tree: NamespaceTree;

  constructor(question: ClusterQuestion) {
    this.#known = recall(question);
    this.#counter = new Counter(question, this.#known);
    this.tree = mirror(question.cluster.namespaces);
  }

  /** Counted when somebody asks: who takes all workloads one after the other does not. */
  get #summary(): Summary | undefined {
    this.#counted ??= this.#counter.count(this.tree.root);
    return this.#counted;
  }

  /** Two indexes with the same basis say the same of the same namespace, but for what time changes. */
  get basis(): object {
    return this.#known;
  }

  count(facet: Facet): number {
    // First all is counted: that is what gives facets their numbers.
    const { counts } = this.#summary ?? { counts: [] };
    const number = this.#known.numbers.find(facet);
    return number === undefined ? 0 : countOf(counts, number);
  }

  /** What there is at all. */
  listFacets(): readonly Facet[] {
    const { counts } = this.#summary ?? { counts: [] };
    return [...this.#known.numbers].flatMap(([facet, number]) => (countOf(counts, number) > 0 ? [facet] : []));
  }

  *list(...facets: readonly Facet[]): Generator<WorkloadStanding, undefined> {
    const summary = this.#summary;
    const numbers = facets.flatMap((facet) => this.#known.numbers.find(facet) ?? []);
    for (const leaf of walk(summary, numbers)) {
      for (const [index, each] of leaf.standings.entries()) {
        if (leaf.facets[index]?.some((facet) => numbers.includes(facet)) === true) yield each;
      }
    }
  }

  /**
   * What `read` says of the first so many that are this, in the order of their keys. A look costs what changed, and copies:
   * for what few are, or few are shown of. One reader asks with one limit.
   */
  collect<T>(facet: Facet, limit: number, read: Reader<T>): readonly T[] {
    const summary = this.#summary;
    const number = this.#known.numbers.find(facet);
    return number === undefined ? none : collect(summary, number, limit, read);
  }

  /** All workloads of one namespace. */
  judge(namespace: string): readonly WorkloadStanding[] {
    const inventory = this.tree.get(namespace);
    return inventory === undefined ? [] : this.#counter.judge(inventory).standings;
  }

  find(key: string): WorkloadStanding | undefined {
    return this.judge(key.slice(0, key.indexOf("/"))).find((each) => each.key === key);
  }

  /** All workloads, in the order of their keys. */
  *[Symbol.iterator](): Generator<WorkloadStanding, undefined> {
    for (const inventory of this.tree.values()) yield* this.#counter.judge(inventory).standings;
  }
}
