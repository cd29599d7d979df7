import type { ThrottlingOptions } from "@octokit/plugin-throttling";

type Group = NonNullable<ThrottlingOptions["write"]>;

/** Who may write when: Octokit's own spacing is 1 s between writes and 3 s between those that notify people. */
export interface ThrottleGroups {
  readonly write: Group;
  readonly notifications: Group;
}

type Work = (...args: unknown[]) => Promise<unknown>;

function createGroup(spacingMs: number): Group {
  let last: Promise<unknown> = Promise.resolve();
  const schedule = async (_options: unknown, work: Work, ...args: unknown[]): Promise<unknown> => {
    const turn = last;
    last = turn.then(async () => new Promise((resolve) => setTimeout(resolve, spacingMs)));
    await turn;
    return work(...args);
  };
  // The plugin asks a group for nothing but `key(id).schedule`; its type wants the whole class of another package.
  return { key: () => ({ schedule }) } as unknown as Group;
}

/** Groups with a spacing of our own, for a GitHub on this machine that bans no client. */
export function createThrottleGroups(spacingMs: number): ThrottleGroups {
  return { write: createGroup(spacingMs), notifications: createGroup(spacingMs) };
}
