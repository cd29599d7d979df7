import type { RevisionUsage } from "#libs/kube";
import type { LedgerState, Spec } from "#libs/plan";
import { describe, expect, it } from "vitest";

import { judgeRetirement, type ClusterUsage } from "./judge-retirement.ts";

const free: RevisionUsage = {
  uid: "u",
  readAt: 0,
  isInstalled: true,
  uses: [],
  ended: [],
  unread: [],
  installed: [],
  installedUnread: [],
};
const use = { as: "pods", what: "shop/Job/report", count: 1 } as const;

/** Main with these shares of 1-30 and these unfinished campaigns. */
function specOf(
  weight: number,
  campaigns: readonly { readonly target: string; readonly replaces: readonly string[] }[],
): Spec {
  const shares = [
    { revision: "1-30", weight },
    { revision: "1-31", weight: 100 - weight },
  ];
  const named = campaigns.map((each, index) => [
    `c${index}`,
    { name: `c${index}`, file: `campaigns/c${index}.yml`, ...each },
  ]);
  return {
    rollouts: { buckets: [{ pattern: "production", shares }] },
    campaigns: new Map(named as never),
  } as unknown as Spec;
}

const cases: readonly {
  readonly name: string;
  readonly clusters: readonly ClusterUsage[];
  readonly weight?: number;
  readonly campaigns?: Parameters<typeof specOf>[1];
  readonly runs?: Readonly<Record<string, { readonly id: string; readonly state: string }>>;
  readonly want: string;
  readonly wantWays?: readonly string[];
}[] = [
  { name: "nothing uses it anywhere", clusters: [{ name: "a", usage: free }], want: "retired" },
  {
    name: "ended pods do not count as users",
    clusters: [{ name: "a", usage: { ...free, ended: [use] } }],
    want: "retired",
  },
  {
    name: "a pod uses it in one of two clusters",
    clusters: [
      { name: "a", usage: free },
      { name: "b", usage: { ...free, uses: [use] } },
    ],
    want: "used",
  },
  {
    name: "a cluster does not answer",
    clusters: [
      { name: "a", usage: free },
      { name: "b", why: "away" },
    ],
    want: "unknown",
  },
  {
    name: "pods may not be read",
    clusters: [{ name: "a", usage: { ...free, unread: ["pods: no"] } }],
    want: "unknown",
  },
  {
    name: "the server has no time",
    clusters: [{ name: "a", usage: { ...free, readAt: undefined } }],
    want: "unknown",
  },
  {
    name: "a user counts although another cluster does not answer",
    clusters: [
      { name: "a", why: "away" },
      { name: "b", usage: { ...free, uses: [use] } },
    ],
    want: "used",
  },
  { name: "there is no cluster", clusters: [], want: "unknown" },
  {
    name: "main gives it a share",
    clusters: [{ name: "a", usage: free }],
    weight: 5,
    want: "used",
    wantWays: ["bucket"],
  },
  {
    name: "a campaign that replaces it is not finished",
    clusters: [{ name: "a", usage: free }],
    campaigns: [{ target: "1-31", replaces: ["1-30"] }],
    want: "used",
    wantWays: ["campaign"],
  },
  {
    name: "a campaign between other revisions is not finished",
    clusters: [{ name: "a", usage: free }],
    campaigns: [{ target: "1-32", replaces: ["1-31"] }],
    want: "retired",
  },
  {
    name: "a run is open, and another is done",
    clusters: [{ name: "a", usage: free }],
    runs: { x: { id: "x", state: "open" }, y: { id: "y", state: "done" } },
    want: "used",
    wantWays: ["run"],
  },
];

describe("whether a revision can be retired", () => {
  it.each(cases)("$name: $want", ({ clusters, weight = 0, campaigns = [], runs = {}, want, wantWays = [] }) => {
    const ledger = { runs } as unknown as LedgerState;
    const { verdict, waysBack } = judgeRetirement("1-30", clusters, {
      main: "abc",
      spec: specOf(weight, campaigns),
      ledger,
    });
    expect([verdict, waysBack.map(({ kind }) => kind)]).toEqual([want, wantWays]);
  });
});
