/** Permissions by GitHub's names of an App's permissions. */
export type Rights = Readonly<Record<string, "read" | "write">>;

/** What each process uses; its tokens are narrowed to it. */
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
  /** A person's commands, or CI's: they push, and open pull requests. */
  cli: { metadata: "read", contents: "write", pull_requests: "write" },
  /** Executors only fetch. */
  executor: { metadata: "read", contents: "read" },
} as const satisfies Readonly<Record<string, Rights>>;

function covers(have: "read" | "write" | undefined, want: "read" | "write"): boolean {
  return have === "write" || have === want;
}

/** The wanted rights that were not granted, or only at a lower level. */
export function findMissing(want: Rights, have: Rights): Rights {
  const granted = new Map(Object.entries(have));
  return Object.fromEntries(Object.entries(want).filter(([name, level]) => !covers(granted.get(name), level)));
}

/** Limits wanted rights to the granted ones: GitHub refuses a token if one requested right was not granted. */
export function narrowRights(want: Rights, have: Rights): Rights {
  const granted = new Map(Object.entries(have));
  return Object.fromEntries(
    Object.entries(want).flatMap(([name, level]) => {
      const most = granted.get(name);
      return most === undefined ? [] : [[name, most === "read" ? most : level] as const];
    }),
  );
}
