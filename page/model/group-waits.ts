import type { FleetStatus } from "#libs/plan";
import { findRunNamed } from "#libs/input";
import { wordWaitEnding } from "#libs/wording";

type Wait = FleetStatus["waiting"][number];

/** The same wait in one or several places. */
export interface WaitGroup {
  readonly wait: Wait;
  readonly scopes: readonly string[];
  /** Waits with the same cause, end and command, whose sentences name another place; their scopes are in `scopes`. */
  readonly alike: readonly Wait[];
}

/** As many waits of one cause are listed on their own. */
const mostAlike = 2;

/** When it ends by itself; a stop's time only reminds of it. */
export function findEnd({ until, code }: Pick<Wait, "until" | "code">): string | undefined {
  return wordWaitEnding(code).isReminder === true ? undefined : until;
}

/** Whether it ends only when a person does something. */
export function isForPeople(wait: Pick<Wait, "until" | "code">): boolean {
  return findEnd(wait) === undefined && wordWaitEnding(wait.code).by === "person";
}

/** The groups of equal keys, in the order of their first members. */
function groupBy<T>(all: readonly T[], key: (each: T) => string): readonly (readonly T[])[] {
  return [...Map.groupBy(all, key).values()];
}

function merge(groups: readonly WaitGroup[]): readonly WaitGroup[] {
  const [first, ...others] = groups;
  if (first === undefined || groups.length <= mostAlike) return groups;
  return [{ wait: first.wait, scopes: groups.flatMap(({ scopes }) => scopes), alike: others.map(({ wait }) => wait) }];
}

/** Groups equal waits in several places, and many that differ by the place only; those that a person ends come first. Pure. */
export function groupWaits(waits: readonly Wait[]): readonly WaitGroup[] {
  const same = groupBy(waits, ({ message, until, command }) => JSON.stringify([message, until, command])).flatMap(
    (group): readonly WaitGroup[] => {
      const [wait] = group;
      return wait === undefined ? [] : [{ wait, scopes: [...new Set(group.map(({ scope }) => scope))], alike: [] }];
    },
  );
  const nameCause = ({ wait: { code, until, command, scope } }: WaitGroup) =>
    JSON.stringify([code, until, command, findRunNamed(scope) ?? scope]);
  const all = groupBy(same, nameCause).flatMap(merge);
  return all.toSorted((a, b) => Number(isForPeople(b.wait)) - Number(isForPeople(a.wait)));
}
