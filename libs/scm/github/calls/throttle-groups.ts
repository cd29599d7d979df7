import type { ThrottlingOptions } from "@octokit/plugin-throttling";

type Group = NonNullable<ThrottlingOptions["write"]>;

/** Spacing of writes; Octokit's own is 1 s between writes and 3 s between those that notify people. */
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
  // The plugin uses only `key(id).schedule` of a group; its type is the whole class of another package.
  return { key: () => ({ schedule }) } as unknown as Group;
}

/** Groups with our own spacing, for a stand-in of GitHub on this machine, which bans no client. */
export function createThrottleGroups(spacingMs: number): ThrottleGroups {
  return { write: createGroup(spacingMs), notifications: createGroup(spacingMs) };
}
