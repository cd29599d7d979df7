import type { NamespaceInventory, Workload } from "#libs/fleet";

import type { ClusterQuestion } from "./cluster-question.ts";
import { addCounts, countFacets, type FacetCounts, FacetNumbers } from "./facet-counts.ts";
import { type Facet, listFacets } from "./facets.ts";
import { judgeOne, shareCase } from "./judge-namespace.ts";
import type { NamespaceCase } from "./judge-workload.ts";
import type { WorkloadStanding } from "./standing.ts";
import { always, intersect, isValid, limitValidity, type Validity } from "./validity.ts";

/** One namespace, judged. */
export interface Leaf {
  readonly validity: Validity;
  /** In the order of their keys. */
  readonly standings: readonly WorkloadStanding[];
  /** What each of them counts as; one list for all that are alike. */
  readonly facets: readonly (readonly number[])[];
  readonly counts: FacetCounts;
}

/** How a namespace was judged last: a change of one workload leaves the judgements of its neighbours true. */
interface Latest {
  readonly inventory: NamespaceInventory;
  readonly leaf: Leaf;
}

/** What was found out about the namespaces of a cluster under one ownership and one control plane. */
export interface LeafMemory {
  readonly numbers: FacetNumbers;
  /** By name of the namespace. */
  readonly latest: Map<string, Latest>;
  /** The numbers of a list of facets; lists are shared (`listFacets`). */
  readonly numbered: WeakMap<readonly Facet[], readonly number[]>;
}

/** Nothing found out yet. */
export function makeLeafMemory(): LeafMemory {
  return { numbers: new FacetNumbers(), latest: new Map(), numbered: new WeakMap() };
}

function numberFacets(facets: readonly Facet[], { numbers, numbered }: LeafMemory): readonly number[] {
  const known = numbered.get(facets);
  if (known !== undefined) return known;
  const list = facets.map((facet) => numbers.give(facet));
  numbered.set(facets, list);
  return list;
}

/**
 * What was judged of the namespace before, where it is the same object. One that was read anew shares no workload with it:
 * to look through what was found out long ago takes longer than to judge the few that were just read.
 */
function findBefore(latest: Latest | undefined, { namespace }: NamespaceInventory): Leaf | undefined {
  return latest?.inventory.namespace === namespace ? latest.leaf : undefined;
}

/** Judgements that no time bounds rest on the workload, its namespace and the files alone: they are true while those are. */
function keepStandings(before: Leaf | undefined): readonly WorkloadStanding[] {
  return before?.validity === always ? before.standings : [];
}

/** A workload is written and judged several times, and keeps its key: a fleet's worth of equal texts is not made anew. */
function findKey(known: WorkloadStanding | undefined, { kind, name }: Workload): string | undefined {
  return known?.workload.name === name && known.workload.kind === kind ? known.key : undefined;
}

function byKey(a: WorkloadStanding, b: WorkloadStanding): number {
  return a.key < b.key ? -1 : 1;
}

/** Inventories are sorted already, but for those of tests. */
function sort(standings: readonly WorkloadStanding[]): readonly WorkloadStanding[] {
  const isSorted = standings.every((each, at) => {
    const before = standings[at - 1];
    return before === undefined || before.key < each.key;
  });
  return isSorted ? standings : standings.toSorted(byKey);
}

function judgeAll(
  question: ClusterQuestion,
  before: Leaf | undefined,
  inventory: NamespaceInventory,
): readonly WorkloadStanding[] {
  const kept = keepStandings(before);
  let shared: NamespaceCase | undefined;
  const standings = inventory.workloads.map((workload, at) => {
    const known = kept[at];
    if (known?.workload === workload) return known;
    shared ??= shareCase(question, inventory.namespace);
    return judgeOne(shared, workload, findKey(before?.standings[at], workload), at);
  });
  return sort(standings);
}

const nothing: FacetCounts = [];

const counted = new WeakMap<readonly number[], FacetCounts>();

/** So many of one list. */
function multiply(list: readonly number[], times: number): FacetCounts {
  const once = counted.get(list) ?? countFacets(list);
  counted.set(list, once);
  return times === 1 ? once : once.map((value, place) => (place % 2 === 0 ? value : value * times));
}

/** Most namespaces have one list or two. */
function countLists(lists: readonly (readonly number[])[]): FacetCounts {
  const times = new Map<readonly number[], number>();
  for (const list of lists) times.set(list, (times.get(list) ?? 0) + 1);
  let counts = nothing;
  for (const [list, count] of times) {
    const more = multiply(list, count);
    counts = counts === nothing ? more : addCounts(counts, more, undefined);
  }
  return counts;
}

/** Judges a namespace, as far as it and its workloads were not judged before, and counts them. */
export function judgeLeaf(question: ClusterQuestion, memory: LeafMemory, inventory: NamespaceInventory): Leaf {
  const { name } = inventory.namespace;
  const latest = memory.latest.get(name);
  if (latest?.inventory === inventory && isValid(latest.leaf.validity, question)) return latest.leaf;
  const before = findBefore(latest, inventory);
  const standings = judgeAll(question, before, inventory);
  let validity = always;
  for (const each of standings) validity = intersect(validity, limitValidity(each, question));
  const facets = standings.map((each, at) => {
    const known = before?.standings[at] === each ? before.facets[at] : undefined;
    return known ?? numberFacets(listFacets(each), memory);
  });
  const leaf = { validity, standings, facets, counts: countLists(facets) };
  memory.latest.set(name, { inventory, leaf });
  return leaf;
}
