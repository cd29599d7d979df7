import type { CampaignStatus, FleetStatus } from "#libs/plan";

/** The numbers of the first match; undefined where there is none. */
export function find(text: string, pattern: RegExp): readonly number[] | undefined {
  const found: (string | undefined)[] | undefined = pattern.exec(text)?.slice(1);
  return found?.map((each = "0") => Number(each.replaceAll(",", "")));
}

/** The numbers of the first match. */
export function read(text: string, pattern: RegExp): readonly number[] {
  const found = find(text, pattern);
  if (found === undefined) throw new Error(`no ${pattern.source} in:\n${text}`);
  return found;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** The sum of what a run's workloads are made of, as a status prints it; undefined where all are listed. */
export function addParts(text: string): number | undefined {
  const parts =
    /(\d+) listed(?:, (\d+) left over by an earlier stage)?(?:, (\d+) more than listed)?(?:, (\d+) fewer than listed)?/u;
  const found = find(text, parts);
  return found && sum(found.slice(0, 3)) - sum(found.slice(3));
}

/** Failed, tried and not tried, as a gate says it; undefined where nothing was tried. */
export function readTried({ gates: [gate] }: CampaignStatus): readonly number[] | undefined {
  return find(JSON.stringify(gate?.why), /(\d+) of (\d+) tried workloads failed [^,:]*(?:, (\d+) not tried)?/u);
}

/** Failures and other skipped workloads, without those of earlier runs and those that are no run's. */
export function countOwn({ failures, skipped }: Pick<FleetStatus, "failures" | "skipped">): readonly number[] {
  if (failures === undefined || skipped === undefined) throw new Error("the status has no figures of what was left");
  const { earlier = 0, neighbours = 0 } = skipped;
  return [failures.count - (failures.earlier ?? 0), skipped.count - earlier - neighbours];
}

/** Migrated, idle and skipped, as Slack says the end of a run. */
export function readEnd(slack: string): readonly number[] {
  const all = find(slack, /all (\d+) workloads migrated/u);
  const left = find(slack, /(\d+) did not move, all left over by an earlier stage/u);
  if (all !== undefined) return [...all, 0, 0];
  if (left !== undefined) return [0, 0, ...left];
  return read(slack, /(\d+) migrated, (?:(\d+) idle \(0 replicas\), )?(\d+) did not move/u);
}
