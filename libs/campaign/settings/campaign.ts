import type { Settings } from "./settings.ts";

/** Namespaces that a campaign leaves out, or whose budgets it ignores. */
export interface Exclusion {
  /** As written: a full-match pattern, like those of `rollouts.yml`. */
  readonly pattern: string;
  readonly matches: (namespace: string) => boolean;
  readonly reason: string;
  /** Epoch ms at which the exclusion ends; absent = it does not, as for `ignoreBudgets`. */
  readonly until?: number;
  /** The pattern's place in the campaign's file. */
  readonly place?: { readonly line: number; readonly column: number; readonly length: number };
}

/** The first entry that applies to a namespace now. */
export function findExclusion(list: readonly Exclusion[], namespace: string, now: number): Exclusion | undefined {
  return list.find(({ matches, until }) => (until === undefined || now < until) && matches(namespace));
}

/** In which order clusters take part. */
export interface ClusterOrder {
  /** Waves: the inner lists go together. Empty = one wave of all; clusters that no list names come last (rules 6.1). */
  readonly order: readonly (readonly string[])[];
  /** Clusters of a wave that move at once, at least 1; absent = all of them. */
  readonly concurrency?: number;
  /** Between the end of a wave and the start of the next, ms. */
  readonly delayBetweenWaves: number;
}

/** One step: the target's share per bucket after its merge. */
export interface Stage {
  readonly name: string;
  /** For people, as the file says it. */
  readonly description?: string;
  /** Whole percent (0..100) of the target, by the bucket's pattern as `rollouts.yml` writes it. */
  readonly set: Readonly<Record<string, number>>;
  /** All settings of its runs: stage, then campaign, then `meshroll.yml`, then built in (rules 1.4). */
  readonly settings: Settings;
  /** Where its entry begins in the campaign's file, from 1. */
  readonly line: number;
  /** Places of the buckets in `set`; absent = at `line`. */
  readonly places?: Readonly<
    Record<string, { readonly line: number; readonly column: number; readonly length?: number }>
  >;
}

/** `campaigns/<name>.yml` on main: how `rollouts.yml` may change. Unfinished as long as it is not in `campaigns/done/`. */
export interface Campaign {
  readonly name: string;
  /** Path in the repository. */
  readonly file: string;
  /** The revision that it brings. */
  readonly target: string;
  /** Revisions that its workloads may be moved from. Not empty. */
  readonly replaces: readonly string[];
  /** The highest version that its target's istiod may report, e.g. `1.25.999`. */
  readonly maxVersion?: string;
  /** `team:<slug>` or `user:<login>`: the campaign's owners. */
  readonly owners: readonly string[];
  readonly exclude: readonly Exclusion[];
  /** Namespaces whose rollouts may go below their PodDisruptionBudgets; absent = none. */
  readonly ignoreBudgets?: readonly Exclusion[];
  readonly clusters: ClusterOrder;
  /** Not empty; names are unique. */
  readonly stages: readonly Stage[];
}
