import type { Finding, Rollouts } from "#libs/spec";

import type { Campaign, Stage } from "./campaign.ts";
import { locateSet, refuseMissing } from "./plan-ramp.ts";
import { findBucket } from "./stages.ts";

/** MR2003, MR2007 and MR2009: what only all unfinished campaigns together with `rollouts.yml` can show. */
export function checkCampaigns(campaigns: readonly Campaign[], rollouts: Rollouts): readonly Finding[] {
  const missing = campaigns.flatMap((campaign) =>
    listSets(campaign).flatMap(({ stage, pattern }): readonly Finding[] => {
      if (findBucket(rollouts, pattern) !== undefined) return [];
      return [{ ...refuseMissing(pattern).finding, file: campaign.file, ...locateSet(stage, pattern) }];
    }),
  );
  const pairs = campaigns.flatMap((second, index) =>
    campaigns.slice(0, index).flatMap((first) => checkPair(first, second)),
  );
  return [...missing, ...pairs];
}

interface BucketSet {
  readonly stage: Stage;
  readonly pattern: string;
}

/** Each bucket of a campaign with the first stage that sets it. */
function listSets({ stages }: Campaign): readonly BucketSet[] {
  const first = new Map<string, BucketSet>();
  for (const stage of stages) {
    for (const pattern of Object.keys(stage.set)) if (!first.has(pattern)) first.set(pattern, { stage, pattern });
  }
  return [...first.values()];
}

function checkPair(first: Campaign, second: Campaign): readonly Finding[] {
  if (first.name === second.name) {
    const message = `${first.file} is named \`${first.name}\` too`;
    const help = "keep one of the two files: the name is part of branches, records and commands";
    return [{ code: "MR2009", severity: "error", file: second.file, line: 1, column: 1, message, help }];
  }
  const isTaken = [supersedes(first, second), supersedes(second, first)];
  if (isTaken.every(Boolean)) return [refuseCircle(first, second)];
  if (isTaken.some(Boolean)) return [];
  const taken = new Set(listSets(first).map(({ pattern }) => pattern));
  return listSets(second)
    .filter(({ pattern }) => taken.has(pattern))
    .map(({ stage, pattern }) => ({
      code: "MR2007",
      severity: "error",
      file: second.file,
      ...locateSet(stage, pattern),
      message: `\`${pattern}\` is set by ${first.file} too: two campaigns would take turns on one bucket`,
      help: `finish ${first.name} first (move its file to campaigns/done/), or write \`supersedes: [${first.name}]\``,
    }));
}

/** Each would wait for the other to be over, and neither would ever propose a stage. */
function refuseCircle(first: Campaign, second: Campaign): Finding {
  const message = `${second.name} and ${first.name} each supersede the other, so neither goes on`;
  const help = "only the newer one says `supersedes`";
  return { code: "MR2007", severity: "error", file: second.file, line: 1, column: 1, message, help };
}

function supersedes(one: Campaign, other: Campaign): boolean {
  return one.supersedes.includes(other.name);
}
