import { isLabelName } from "#libs/input";

import { listStagesOfBuckets, type StageOfBucket } from "../main/index.ts";
import type { BucketChange, LedgerState, PlanRecord, RunRecord, Spec } from "../records/index.ts";

type Belonging = Pick<RunRecord, "campaign" | "stage" | "list">;

function nameChanges(changes: readonly BucketChange[]): string {
  return JSON.stringify(changes.map(({ pattern, from, to }) => [pattern, from, to]));
}

/** The newest recorded proposal with the same changes as the commit, however it was merged: squashed, rebased or by hand. */
function findList(
  ledger: LedgerState,
  stage: string,
  campaign: string,
  changes: readonly BucketChange[],
): string | undefined {
  const same = Object.values(ledger.plans).filter(
    (plan: PlanRecord) =>
      plan.campaign === campaign && plan.stage === stage && nameChanges(plan.changes) === nameChanges(changes),
  );
  return same.toSorted((a, b) => (a.at < b.at ? -1 : 1)).at(-1)?.head;
}

/**
 * Campaigns whose file was added by one of these commits and cannot be read. Their buckets are unknown, but a file and a change
 * of buckets in one commit belong together. `commits`: the run's, and those before it that did not parse.
 */
function listBrought({ unread = [], campaigns }: Spec, commits: ReadonlySet<string>): readonly StageOfBucket[] {
  const brought = unread.filter(({ name, since = "" }) => commits.has(since) && isLabelName(name));
  return brought.map(({ name }) => ({ campaign: name, stage: campaigns.get(name)?.stages[0]?.name ?? "unread" }));
}

/** The campaign and stage that the run of a commit belongs to. */
function findCampaign(
  after: Spec,
  changes: readonly BucketChange[],
  commits: ReadonlySet<string>,
): StageOfBucket | undefined {
  const forward = changes.filter(({ direction }) => direction === "forward");
  const patterns = (forward.length > 0 ? forward : changes).map(({ pattern }) => pattern);
  const setting = listStagesOfBuckets(after, patterns);
  // A rollback of several campaigns' buckets belongs to none, so that no campaign takes over another's workloads.
  if (forward.length === 0) return setting.length > 1 ? undefined : setting[0];
  // A campaign that only an unreadable file shows comes first, because `listOtherCampaigns` finds the readable ones again.
  const isSeen = (name: string): boolean => setting.some(({ campaign }) => campaign === name);
  return listBrought(after, commits).find(({ campaign }) => !isSeen(campaign)) ?? setting[0];
}

/**
 * The campaign, stage and list of a commit's run: any commit on a bucket of an unfinished campaign is that campaign's run, with
 * the settings of the last reached stage that sets the bucket (rules 1.5). Where several campaigns set its buckets, it belongs
 * to one of them, and moves nothing forward while another one sets them too. The list is the one that its pull request named,
 * if any (rules 10.2).
 */
export function findBelonging(
  ledger: LedgerState,
  after: Spec,
  changes: readonly BucketChange[],
  commits: ReadonlySet<string> = new Set([after.commit]),
): Belonging {
  const first = findCampaign(after, changes, commits);
  if (first === undefined) return {};
  const list = findList(ledger, first.stage, first.campaign, changes);
  return { ...first, ...(list === undefined ? {} : { list }) };
}
