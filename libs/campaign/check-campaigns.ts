import { type Finding, reportUnmatched, type Rollouts } from "#libs/rollouts";

import type { Campaign, Stage } from "./settings/campaign.ts";
import { mostListed } from "./fields/open-document.ts";
import { locateSet, refuseMissing } from "./ramp/plan-ramp.ts";

/** What is wrong between campaigns, or between one and `rollouts.yml`. */
export interface Conflict {
  readonly finding: Finding;
  /** Files of the campaigns that cannot all stand as they are. */
  readonly files: readonly string[];
}

/**
 * MR2003, MR2007 and MR2009: what only all unfinished campaigns together with `rollouts.yml` can show. Each campaign is compared
 * with each, so a list that has become too long ends, and then speaks of all of them.
 */
export function listConflicts(campaigns: readonly Campaign[], rollouts: Rollouts): readonly Conflict[] {
  const conflicts: Conflict[] = [];
  for (const conflict of findAll(campaigns, rollouts)) {
    if (conflicts.length >= mostListed)
      return [...conflicts, { finding: endList(conflict.finding), files: campaigns.map(({ file }) => file) }];
    conflicts.push(conflict);
  }
  return conflicts;
}

/** The findings alone. */
export function checkCampaigns(campaigns: readonly Campaign[], rollouts: Rollouts): readonly Finding[] {
  return listConflicts(campaigns, rollouts).map(({ finding }) => finding);
}

function endList({ file }: Finding): Finding {
  const message = `more than ${mostListed} things are wrong between the campaigns: the rest is not listed`;
  return { code: "MR2009", severity: "error", file, line: 1, column: 1, message, help: "fix these first" };
}

function* findAll(campaigns: readonly Campaign[], rollouts: Rollouts): Generator<Conflict, undefined> {
  const planned = campaigns.map((campaign) => ({ campaign, sets: listSets(campaign) }));
  const buckets = new Set(rollouts.buckets.map(({ pattern }) => pattern));
  for (const { campaign, sets } of planned) yield* findMissing(campaign, sets, buckets);
  for (const [index, second] of planned.entries()) {
    for (const first of planned.slice(0, index)) {
      const files = [first.campaign.file, second.campaign.file];
      for (const finding of checkPair(first, second)) yield { finding, files };
    }
  }
}

function* findMissing(
  { file }: Campaign,
  sets: Planned["sets"],
  buckets: ReadonlySet<string>,
): Generator<Conflict, undefined> {
  for (const [pattern, { stage }] of sets) {
    if (buckets.has(pattern)) continue;
    yield { finding: { ...refuseMissing(pattern).finding, file, ...locateSet(stage, pattern) }, files: [file] };
  }
}

/** A campaign with what it sets, listed once however many it is compared with. */
interface Planned {
  readonly campaign: Campaign;
  readonly sets: ReadonlyMap<string, BucketSet>;
}

interface BucketSet {
  readonly stage: Stage;
  readonly pattern: string;
}

/** Each bucket of a campaign with the first stage that sets it. */
function listSets({ stages }: Campaign): ReadonlyMap<string, BucketSet> {
  const first = new Map<string, BucketSet>();
  for (const stage of stages) {
    for (const pattern of Object.keys(stage.set)) if (!first.has(pattern)) first.set(pattern, { stage, pattern });
  }
  return first;
}

function* checkPair(one: Planned, other: Planned): Generator<Finding, undefined> {
  const [first, second] = [one.campaign, other.campaign];
  if (first.name === second.name) {
    const message = `${first.file} is named \`${first.name}\` too`;
    const help = "keep one of the two files: the name is part of branches, records and commands";
    yield { code: "MR2009", severity: "error", file: second.file, line: 1, column: 1, message, help };
    return;
  }
  for (const set of other.sets.values()) {
    const before = one.sets.get(set.pattern);
    if (before !== undefined) yield refuseShared(first, before, second, set);
  }
}

function refuseShared(first: Campaign, before: BucketSet, second: Campaign, { stage, pattern }: BucketSet): Finding {
  const { line, column } = locateSet(before.stage, pattern);
  return {
    code: "MR2007",
    severity: "error",
    file: second.file,
    ...locateSet(stage, pattern),
    message: `\`${pattern}\` is set at ${first.file}:${line}:${column} too: a bucket belongs to one unfinished campaign`,
    help: `finish one of the two first: \`meshroll finish ${first.name}\` moves its file to campaigns/done/`,
  };
}

/** MR1022 for each exclusion that binds no namespace of the fleet; `namespaces` must be all of them. */
export function findIdleExclusions(campaigns: Iterable<Campaign>, namespaces: readonly string[]): readonly Finding[] {
  return [...campaigns].flatMap(({ file, exclude, ignoreBudgets = [] }) => {
    const entries = [
      ...exclude.map((each) => ({ what: "exclude", ...each })),
      ...ignoreBudgets.map((each) => ({ what: "ignoreBudgets", ...each })),
    ];
    return entries
      .filter(({ matches }) => !namespaces.some(matches))
      .map(({ what, pattern, place = { line: 1, column: 1 } }) => reportUnmatched(what, pattern, { file, ...place }));
  });
}
