import type { Campaign } from "#libs/campaign";

type Campaigns = ReadonlyMap<string, Campaign>;

/** Follows names from one to the next ones, each once: a circle, which no check lets through, must not hang the planner. */
function follow(first: string, next: (name: string) => readonly string[]): readonly string[] {
  const seen = new Set([first]);
  for (const name of seen) for (const other of next(name)) seen.add(other);
  return [...seen].slice(1);
}

/** Campaigns that this one supersedes, by itself or through one that stands on main between the two; nearest first. */
export function listSuperseded({ name }: Pick<Campaign, "name">, campaigns: Campaigns): readonly string[] {
  return follow(name, (each) => campaigns.get(each)?.supersedes ?? []);
}

/** The campaigns that took over from a campaign, in their order: the last one is the owner now. Empty = none did. */
export function listSuccessors(name: string, campaigns: Campaigns): readonly string[] {
  return follow(name, (each) => {
    const successor = [...campaigns.values()].find(({ supersedes }) => supersedes.includes(each));
    return successor === undefined ? [] : [successor.name];
  });
}

/** The unfinished campaign that has a campaign's things now: itself, or its last successor; undefined once that is finished. */
export function findActiveSuccessor(name: string, campaigns: Campaigns): Campaign | undefined {
  return campaigns.get(listSuccessors(name, campaigns).at(-1) ?? name);
}
