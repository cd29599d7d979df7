import type { Blocker, JudgedWorkload } from "../workloads/index.ts";
import { countIndexKeys, type IndexKeyCounts } from "./index-key-counts.ts";
import {
  type ClusterKey,
  type IndexKey,
  listIndexKeys,
  type MoveGroup,
  numberIndexKeys,
  type Part,
  type RunFact,
  type RunKey,
} from "./index-keys.ts";

interface NumberedGroup {
  readonly group: MoveGroup;
  readonly number: number;
}

/** Numbers for one fact about the workloads of a run: for all of them, for a part, and for a group of a bucket. */
interface FactNumbers {
  whole: number | undefined;
  readonly parts: Map<Part | Blocker, number>;
  readonly groups: Map<string, NumberedGroup[]>;
}

function makeFactNumbers(): FactNumbers {
  return { whole: undefined, parts: new Map(), groups: new Map() };
}

function findInFact(numbers: FactNumbers, { only }: RunKey): number | undefined {
  if (only === undefined) return numbers.whole;
  if (typeof only === "string") return numbers.parts.get(only);
  const { way, turn, bucket } = only;
  const found = numbers.groups.get(bucket)?.find(({ group }) => group.way === way && group.turn === turn);
  return found?.number;
}

function noteInFact(numbers: FactNumbers, { only }: RunKey, number: number): void {
  if (only === undefined) numbers.whole = number;
  else if (typeof only === "string") numbers.parts.set(only, number);
  else numbers.groups.set(only.bucket, [...(numbers.groups.get(only.bucket) ?? []), { group: only, number }]);
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function makeMap<K, V>(): Map<K, V> {
  return new Map();
}

/**
 * Gives index keys numbers, because numbers are compared faster than keys. Few workloads of a fleet differ in their keys, so
 * equal workloads share one object of counts.
 */
export class IndexKeyNumbers {
  readonly #keys: IndexKey[] = [];
  readonly #ofCluster = new Map<ClusterKey, number>();
  readonly #ofRuns = new Map<string, Map<RunFact, FactNumbers>>();
  /** By run, bucket, and the number of the workload's other traits (`numberIndexKeys`). */
  readonly #alike = new Map<string | undefined, Map<string, Map<number, IndexKeyCounts>>>();

  /** The index key's number; a new one where it has none. */
  #give(key: IndexKey): number {
    const known = this.find(key);
    if (known !== undefined) return known;
    const number = this.#keys.push(key) - 1;
    if (typeof key === "string") this.#ofCluster.set(key, number);
    else {
      const facts = getOrMake(this.#ofRuns, key.run, () => new Map<RunFact, FactNumbers>());
      noteInFact(getOrMake(facts, key.is, makeFactNumbers), key, number);
    }
    return number;
  }

  find(key: IndexKey): number | undefined {
    if (typeof key === "string") return this.#ofCluster.get(key);
    const numbers = this.#ofRuns.get(key.run)?.get(key.is);
    return numbers === undefined ? undefined : findInFact(numbers, key);
  }

  /** All index keys that have a number; their numbers are their places. */
  get keys(): readonly IndexKey[] {
    return this.#keys;
  }

  /** The groups of workloads with this fact in the run, with their numbers. */
  *listGroups(run: string, is: RunFact): Generator<NumberedGroup, undefined> {
    for (const groups of this.#ofRuns.get(run)?.get(is)?.groups.values() ?? []) yield* groups;
  }

  /** The counts of one workload; the same object for all workloads with the same keys. */
  count(each: JudgedWorkload): IndexKeyCounts {
    const ofRun = getOrMake(this.#alike, each.run?.id, makeMap<string, Map<number, IndexKeyCounts>>);
    const ofBucket = getOrMake(ofRun, each.bucket, makeMap<number, IndexKeyCounts>);
    const alike = numberIndexKeys(each);
    const known = ofBucket.get(alike);
    if (known !== undefined) return known;
    const counts = countIndexKeys(listIndexKeys(each).map((key) => this.#give(key)));
    ofBucket.set(alike, counts);
    return counts;
  }
}
