import type { Bucket } from "#libs/rollouts";

import type { RunRecord, Snapshot, Spec } from "../../records/index.ts";
import { findCampaign, listForwardBuckets } from "../../main/index.ts";

/** The revisions that a run brings, and those that it replaces. */
export interface Targets {
  readonly brought: readonly string[];
  readonly replaced: readonly string[];
}

function weigh(buckets: readonly Bucket[], pattern: string): ReadonlyMap<string, number> {
  const bucket =
    buckets.find((each) => each.pattern === pattern) ?? buckets.find((each) => each.pattern === "production");
  return new Map(bucket?.shares.map(({ revision, weight }) => [revision, weight]));
}

/** Revisions whose shares grew or shrank in the buckets that the run moved forward. */
function compareShares(before: Spec, after: Spec, run: RunRecord): Targets {
  const [brought, replaced] = [new Set<string>(), new Set<string>()];
  for (const pattern of listForwardBuckets(run)) {
    const [old, now] = [weigh(before.rollouts.buckets, pattern), weigh(after.rollouts.buckets, pattern)];
    for (const revision of new Set([...old.keys(), ...now.keys()])) {
      const change = (now.get(revision) ?? 0) - (old.get(revision) ?? 0);
      if (change > 0) brought.add(revision);
      if (change < 0) replaced.add(revision);
    }
  }
  return { brought: [...brought].toSorted(), replaced: [...replaced].toSorted() };
}

/** A campaign's run: by the campaign. A person's run: by its commit; undefined while the files of its commits were not read. */
export function findTargets({ specs }: Snapshot, head: Spec, run: RunRecord): Targets | undefined {
  const campaign = findCampaign(head, run);
  if (campaign !== undefined) return { brought: [campaign.target], replaced: campaign.replaces };
  const [before, after] = [specs.get(run.before), specs.get(run.commit)];
  return before === undefined || after === undefined ? undefined : compareShares(before, after, run);
}
