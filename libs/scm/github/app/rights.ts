/** What a token may do, in GitHub's names of an App's permissions. */
export type Rights = Readonly<Record<string, "read" | "write">>;

/** What each process uses, and no more: its tokens are narrowed to it. */
export const rights = {
  planner: {
    metadata: "read",
    contents: "write",
    pull_requests: "write",
    checks: "write",
    statuses: "write",
    members: "read",
  },
  notifier: {
    metadata: "read",
    contents: "read",
    pull_requests: "write",
    issues: "write",
    deployments: "write",
  },
  /** A person's commands, or CI's: pushes, and pull requests that change main. */
  cli: { metadata: "read", contents: "write", pull_requests: "write" },
  /** It fetches, and nothing else. */
  executor: { metadata: "read", contents: "read" },
} as const satisfies Readonly<Record<string, Rights>>;

function covers(have: "read" | "write" | undefined, want: "read" | "write"): boolean {
  return have === "write" || have === want;
}

/** What of it was not granted. */
export function findMissing(want: Rights, have: Rights): Rights {
  const granted = new Map(Object.entries(have));
  return Object.fromEntries(Object.entries(want).filter(([name, level]) => !covers(granted.get(name), level)));
}

/** Of what is wanted as much as was granted: GitHub makes no token for more, and one right that lacks would take all others along. */
export function narrowRights(want: Rights, have: Rights): Rights {
  const granted = new Map(Object.entries(have));
  return Object.fromEntries(
    Object.entries(want).flatMap(([name, level]) => {
      const most = granted.get(name);
      return most === undefined ? [] : [[name, most === "read" ? most : level] as const];
    }),
  );
}
