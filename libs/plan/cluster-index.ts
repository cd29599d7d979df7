import { markKeys, type NamespaceInventory } from "#libs/fleet";

import { addCounts, countFacets, countOf, type FacetCounts, FacetNumbers, hasAny } from "./facet-counts.ts";
import { type Facet, listFacets } from "./facets.ts";
import { judgeWorkload } from "./judge-workload.ts";
import { NamespaceTree, type TreeNode } from "./namespace-tree.ts";
import type { Ownership } from "./ownership.ts";
import { findReadinessTimeout } from "./sail-annotations.ts";
import type { WorkloadStanding } from "./standing.ts";
import type { ClusterWorld, Spec } from "./world.ts";
import { nameInFleet } from "./workload-key.ts";

/** What one cluster is judged by. */
export interface ClusterQuestion {
  readonly cluster: ClusterWorld;
  readonly head: Spec;
  readonly ownerOf: (namespace: string) => Ownership;
  readonly now: number;
  /** The same map while nothing in it changed: then nothing that waits is judged anew. */
  readonly waitingSince: ReadonlyMap<string, number>;
}

/** The workloads of a cluster, as one look judged them. */
export interface Standings {
  count(facet: Facet): number;
  /** Whoever is one of these, in the order of their keys. Costs what is taken of it. */
  list(...facets: readonly Facet[]): Iterable<WorkloadStanding>;
  /** One workload, by `namespace/Kind/name`. */
  find(key: string): WorkloadStanding | undefined;
}

/** While there are no files to judge by. */
export const nobody: Standings = { count: () => 0, list: () => [], find: () => undefined };

/** When a judgement is true: always, or at some times only, or only while the same workloads wait. */
interface Validity {
  readonly from: number;
  readonly until: number;
  readonly waits: ReadonlyMap<string, number> | undefined;
}

/** One namespace, judged. */
interface Leaf extends Validity {
  readonly standings: readonly WorkloadStanding[];
  /** What each of them counts as. */
  readonly facets: readonly (readonly number[])[];
  readonly counts: FacetCounts;
}

/** All that is below one place of the tree, counted. */
interface Summary extends Validity {
  readonly counts: FacetCounts;
  readonly leaf: Leaf;
  readonly left: Summary | undefined;
  readonly right: Summary | undefined;
}

/** What was found out under one ownership and one control plane. */
interface Knowledge {
  readonly numbers: FacetNumbers;
  readonly leaves: WeakMap<NamespaceInventory, Leaf>;
}

const always: Validity = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY, waits: undefined };

/** Both must hold. */
function intersect(a: Validity, b: Validity): Validity {
  if (a === always) return b;
  if (b === always) return a;
  return { from: Math.max(a.from, b.from), until: Math.min(a.until, b.until), waits: a.waits ?? b.waits };
}

function isSameWait(a: ReadonlyMap<string, number> | undefined, b: ReadonlyMap<string, number>): boolean {
  return a === undefined || a === b || (a.size === 0 && b.size === 0);
}

/** An exclusion ends at its date. Who waited for too long has done so for good; only before that it had not. */
function limitAside(
  until: number | undefined,
  now: number,
  since: number | undefined,
  waits: ReadonlyMap<string, number>,
): Validity | undefined {
  if (until !== undefined) return { from: now, until: until - 1, waits: undefined };
  return since === undefined ? undefined : { ...always, from: now, waits };
}

/**
 * Most judgements rest on objects and files alone. A wait for an owner ends after `readinessTimeout`, and so does the time
 * that an undo gets: those are true for a while.
 */
function limitValidity(each: WorkloadStanding, { now, head, waitingSince }: ClusterQuestion): Validity {
  const { standing } = each;
  // Rare, and over soon: judged anew at each look.
  if (each.rolling && standing.kind !== "moving") return { from: now, until: now, waits: undefined };
  const since = waitingSince.get(nameInFleet(each.cluster, each.key));
  if (standing.kind === "blocked" && standing.by !== "tag") {
    const end = since === undefined ? Number.POSITIVE_INFINITY : since + findReadinessTimeout(each, head, each.run);
    // At `end` itself it is over.
    return { from: now, until: end - 1, waits: waitingSince };
  }
  const limited = standing.kind === "aside" ? limitAside(standing.until, now, since, waitingSince) : undefined;
  if (limited !== undefined) return limited;
  return markKeys.failed in each.workload.annotations ? { ...always, from: now } : always;
}

function byKey(a: WorkloadStanding, b: WorkloadStanding): number {
  return a.key < b.key ? -1 : 1;
}

const remembered = new WeakMap<ClusterQuestion["ownerOf"], Map<string, Knowledge>>();

function makeKnowledge(): Knowledge {
  return { numbers: new FacetNumbers(), leaves: new WeakMap() };
}

/**
 * By what judgements rest on besides the namespace: the ownership (head and ledger), and the cluster's control plane. What
 * istiod reports is none of it: its figures change all the time, and all would be judged anew.
 */
function recall({ cluster, ownerOf }: ClusterQuestion): Knowledge {
  const { revisions, tags } = cluster.facts;
  const planes = revisions.map(({ name, webhook, istiod }) => [name, webhook, istiod]);
  const plane = JSON.stringify([cluster.name, planes, tags]);
  const byPlane = remembered.get(ownerOf) ?? new Map<string, Knowledge>();
  remembered.set(ownerOf, byPlane);
  const known = byPlane.get(plane) ?? makeKnowledge();
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
  readonly #known: Knowledge;

  constructor(question: ClusterQuestion, known: Knowledge) {
    this.#question = question;
    this.#known = known;
  }

  #isValid({ from, until, waits }: Validity): boolean {
    const { now, waitingSince } = this.#question;
    return from <= now && now <= until && isSameWait(waits, waitingSince);
  }

  judge(inventory: NamespaceInventory): Leaf {
    const before = this.#known.leaves.get(inventory);
    if (before !== undefined && this.#isValid(before)) return before;
    const standings = inventory.workloads
      .map((workload) => judgeWorkload(this.#question, inventory, workload))
      .toSorted(byKey);
    const facets = standings.map((each) => listFacets(each).map((facet) => this.#known.numbers.give(facet)));
    const validity = standings.map((each) => limitValidity(each, this.#question)).reduce(intersect, always);
    const leaf = { ...validity, standings, facets, counts: countFacets(facets.flat()) };
    this.#known.leaves.set(inventory, leaf);
    return leaf;
  }

  count(node: TreeNode | undefined): Summary | undefined {
    if (node === undefined) return undefined;
    // Only this class notes anything under what is known.
    const before = node.recall(this.#known) as Summary | undefined;
    if (before !== undefined && this.#isValid(before)) return before;
    const leaf = this.judge(node.inventory);
    const [left, right] = [this.count(node.left), this.count(node.right)];
    const counts = addCounts(leaf.counts, left?.counts, right?.counts);
    const { from, until, waits } = intersect(intersect(leaf, left ?? always), right ?? always);
    const summary = { counts, leaf, left, right, from, until, waits };
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

/**
 * Where every workload of a cluster stands, counted by what it is. A look costs what changed since the last one: what is
 * below an unchanged place of the tree was counted before. Two looks at the same facts give the same answer, whatever was
 * looked at in between.
 */
export class ClusterIndex implements Standings, Iterable<WorkloadStanding> {
  readonly #known: Knowledge;
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
