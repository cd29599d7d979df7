import type { NamespaceInventory, Workload } from "#libs/fleet";
import type { Touched } from "#libs/injection";

import {
  always,
  type ClusterContext,
  findTouched,
  intersect,
  isValid,
  type JudgedWorkload,
  judgeOne,
  limitValidity,
  type NamespaceCase,
  shareCase,
  type Validity,
} from "../workloads/index.ts";
import { CountAdder, type IndexKeyCounts } from "./index-key-counts.ts";
import { IndexKeyNumbers } from "./index-key-numbers.ts";

/** One namespace, judged. */
export interface Entry {
  readonly validity: Validity;
  /** In the order of their keys. */
  readonly states: readonly JudgedWorkload[];
  /** Who of the namespace its label touches and no run moves: what its workloads were judged by, too. */
  readonly touched: readonly Touched[];
  /** What each of them counts as; one object for all that are alike. */
  readonly indexKeys: readonly IndexKeyCounts[];
  readonly counts: IndexKeyCounts;
}

/** How a namespace was judged last: a change of one workload leaves the judgements of its neighbours true. */
interface Latest {
  readonly inventory: NamespaceInventory;
  readonly entry: Entry;
}

/** What was found out about the namespaces of a cluster under one ownership and one control plane. */
export interface EntryMemory {
  readonly numbers: IndexKeyNumbers;
  readonly adder: CountAdder;
  /** By name of the namespace. */
  readonly latest: Map<string, Latest>;
}

/** Nothing found out yet. */
export function makeEntryMemory(): EntryMemory {
  return { numbers: new IndexKeyNumbers(), adder: new CountAdder(), latest: new Map() };
}

/**
 * What was judged of the namespace before, where it is the same object. One that was read again shares no workload with it:
 * to look through what was found out long ago takes longer than to judge the few that were just read.
 */
function findBefore(latest: Latest | undefined, { namespace }: NamespaceInventory): Entry | undefined {
  return latest?.inventory.namespace === namespace ? latest.entry : undefined;
}

/** Judgements that no time bounds rest on the workload, its namespace and the files alone: they are true while those are. */
function keepJudged(before: Entry | undefined): readonly JudgedWorkload[] {
  return before?.validity === always ? before.states : [];
}

/** The same object while nothing in it changed, as in nearly every namespace, where it is empty. */
function keepEqual(before: readonly Touched[] | undefined, touched: readonly Touched[]): readonly Touched[] {
  if (before === undefined || before === touched) return touched;
  if (before.length + touched.length === 0) return before;
  return JSON.stringify(before) === JSON.stringify(touched) ? before : touched;
}

/** A workload is written and judged several times, and keeps its key: a fleet's worth of equal texts is not created again. */
function findKey(known: JudgedWorkload | undefined, { kind, name }: Workload): string | undefined {
  return known?.workload.name === name && known.workload.kind === kind ? known.key : undefined;
}

function byKey(a: JudgedWorkload, b: JudgedWorkload): number {
  return a.key < b.key ? -1 : 1;
}

/** Inventories are sorted already, but for those of tests. */
function sort(states: readonly JudgedWorkload[]): readonly JudgedWorkload[] {
  const isSorted = states.every((each, at) => {
    const before = states[at - 1];
    return before === undefined || before.key < each.key;
  });
  return isSorted ? states : states.toSorted(byKey);
}

function judgeAll(
  question: ClusterContext,
  before: Entry | undefined,
  inventory: NamespaceInventory,
  touched: readonly Touched[],
): readonly JudgedWorkload[] {
  // Who else is in the namespace decides whether its label may change.
  const kept = before?.touched === touched ? keepJudged(before) : [];
  let shared: NamespaceCase | undefined;
  let isSorted = before?.states.length === inventory.workloads.length;
  const states = inventory.workloads.map((workload, at) => {
    const known = kept[at];
    if (known?.workload === workload) return known;
    shared ??= shareCase(question, inventory.namespace, touched);
    const key = findKey(before?.states[at], workload);
    // The same keys at the same places as before are in order, as those were.
    if (key === undefined) isSorted = false;
    return judgeOne(shared, workload, key, at);
  });
  return isSorted ? states : sort(states);
}

const nothing: IndexKeyCounts = [];

/** So many that are alike. */
function multiply(once: IndexKeyCounts, times: number): IndexKeyCounts {
  return times === 1 ? once : once.map((value, place) => (place % 2 === 0 ? value : value * times));
}

/** In most namespaces all are alike, or of two sorts. */
function sumCounts(all: readonly IndexKeyCounts[], adder: CountAdder): IndexKeyCounts {
  const sorts: IndexKeyCounts[] = [];
  const times: number[] = [];
  for (const once of all) {
    const at = sorts.indexOf(once);
    if (at < 0) times[sorts.push(once) - 1] = 1;
    else times[at] = (times[at] ?? 0) + 1;
  }
  let counts = nothing;
  for (const [at, once] of sorts.entries()) {
    const more = multiply(once, times[at] ?? 0);
    counts = counts === nothing ? more : adder.add(counts, more, undefined);
  }
  return counts;
}

/** Judges a namespace, as far as it and its workloads were not judged before, and counts them. */
export function judgeEntry(question: ClusterContext, memory: EntryMemory, inventory: NamespaceInventory): Entry {
  const { name } = inventory.namespace;
  const latest = memory.latest.get(name);
  if (latest?.inventory === inventory && isValid(latest.entry.validity, question)) return latest.entry;
  const before = findBefore(latest, inventory);
  const touched = keepEqual(before?.touched, findTouched(question, inventory));
  const states = judgeAll(question, before, inventory, touched);
  let validity = always;
  for (const each of states) validity = intersect(validity, limitValidity(each, question));
  const indexKeys = states.map((each, at) => {
    const known = before?.states[at] === each ? before.indexKeys[at] : undefined;
    return known ?? memory.numbers.count(each);
  });
  const entry = { validity, states, touched, indexKeys, counts: sumCounts(indexKeys, memory.adder) };
  memory.latest.set(name, { inventory, entry });
  return entry;
}
