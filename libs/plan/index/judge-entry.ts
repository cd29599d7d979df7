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
  readonly inventory: NamespaceInventory;
  readonly validity: Validity;
  /** Each at the place of its workload in the inventory: in the order of their keys. */
  readonly states: readonly JudgedWorkload[];
  /** Workloads that the namespace's label affects and no run moves; judgements of its workloads depend on them. */
  readonly touched: readonly Touched[];
  /** The index keys of each workload; one object for all with the same keys. */
  readonly indexKeys: readonly IndexKeyCounts[];
  readonly counts: IndexKeyCounts;
}

/** The cached judgements of a cluster's namespaces, under one ownership and one control plane. */
export interface EntryMemory {
  readonly numbers: IndexKeyNumbers;
  readonly adder: CountAdder;
  /** The last judgement of each namespace, by name: a change of one workload leaves those of its neighbours valid. */
  readonly latest: Map<string, Entry>;
}

/** An empty cache. */
export function makeEntryMemory(): EntryMemory {
  return { numbers: new IndexKeyNumbers(), adder: new CountAdder(), latest: new Map() };
}

/**
 * The previous judgement of the namespace, where its object is the same. A namespace that was read again has new workloads, and
 * searching the old ones would take longer than judging the new ones.
 */
function findBefore(latest: Entry | undefined, { namespace }: NamespaceInventory): Entry | undefined {
  return latest?.inventory.namespace === namespace ? latest : undefined;
}

/**
 * The entry whose judgements are reused for unchanged workloads: those without a time limit, which depend only on the workload,
 * its namespace and the files. The other workloads of the namespace decide whether its label may change, so these must be the
 * same.
 */
function findKept(before: Entry | undefined, touched: readonly Touched[]): Entry | undefined {
  const isKept = before !== undefined && before.validity === always && before.touched === touched;
  return isKept ? before : undefined;
}

/** The same object while nothing in it changed; in nearly every namespace it is empty. */
function keepEqual(before: readonly Touched[] | undefined, touched: readonly Touched[]): readonly Touched[] {
  if (before === undefined || before === touched) return touched;
  if (before.length + touched.length === 0) return before;
  return JSON.stringify(before) === JSON.stringify(touched) ? before : touched;
}

/** A changed workload keeps its key, so that its text is not created again. */
function findKey(known: JudgedWorkload | undefined, { kind, name }: Workload): string | undefined {
  return known?.workload.name === name && known.workload.kind === kind ? known.key : undefined;
}

/** Judges the changed workloads, each at its place, with the earlier key where the workload had one. */
function judgeAll(
  question: ClusterContext,
  before: Entry | undefined,
  inventory: NamespaceInventory,
  touched: readonly Touched[],
): readonly JudgedWorkload[] {
  const kept = findKept(before, touched);
  let shared: NamespaceCase | undefined;
  return inventory.workloads.map((workload, at) => {
    const known = kept?.inventory.workloads[at] === workload ? kept.states[at] : undefined;
    if (known !== undefined) return known;
    shared ??= shareCase(question, inventory.namespace, touched);
    return judgeOne(shared, workload, findKey(before?.states[at], workload), at);
  });
}

const nothing: IndexKeyCounts = [];

/** The counts of this many equal workloads. */
function multiply(once: IndexKeyCounts, times: number): IndexKeyCounts {
  return times === 1 ? once : once.map((value, place) => (place % 2 === 0 ? value : value * times));
}

/** In most namespaces all workloads are equal, or of two kinds. */
function sumCounts(all: readonly IndexKeyCounts[], adder: CountAdder): IndexKeyCounts {
  const distinct: IndexKeyCounts[] = [];
  const times: number[] = [];
  for (const once of all) {
    const at = distinct.indexOf(once);
    if (at < 0) times[distinct.push(once) - 1] = 1;
    else times[at] = (times[at] ?? 0) + 1;
  }
  let counts = nothing;
  for (const [at, once] of distinct.entries()) {
    const more = multiply(once, times[at] ?? 0);
    counts = counts === nothing ? more : adder.add(counts, more, undefined);
  }
  return counts;
}

/** Judges and counts a namespace, as far as that was not done before. */
export function judgeEntry(question: ClusterContext, memory: EntryMemory, inventory: NamespaceInventory): Entry {
  const { name } = inventory.namespace;
  const latest = memory.latest.get(name);
  if (latest?.inventory === inventory && isValid(latest.validity, question)) return latest;
  const before = findBefore(latest, inventory);
  const touched = keepEqual(before?.touched, findTouched(question, inventory));
  const states = judgeAll(question, before, inventory, touched);
  let validity = always;
  const indexKeys = states.map((each, at) => {
    const known = before?.states[at] === each ? before.indexKeys[at] : undefined;
    if (known !== undefined) return known;
    // Reused judgements are valid without a limit.
    validity = intersect(validity, limitValidity(each, question));
    return memory.numbers.count(each);
  });
  const counts = sumCounts(indexKeys, memory.adder);
  const entry = { inventory, validity, states, touched, indexKeys, counts };
  memory.latest.set(name, entry);
  return entry;
}
