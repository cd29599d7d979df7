import { compileSpec, type LedgerState, type StagePull, type Snapshot } from "#libs/plan";
import { campaignFile, campaignOf } from "#test/flow/campaign/stage-campaign";
import { makeCluster, makeLedger, makeRun, makeWorkload, noon, sha } from "#test/world/build";
import { findPlaced } from "#test/world/transition";
import { renderTransition } from "#libs/wording";
import { describe, expect, it } from "vitest";

import { followPulls } from "./follow-pulls.ts";

const [main, head] = [sha("main"), sha("head")];
const branch = "meshroll/shop/half";
const open: StagePull = {
  branch,
  number: 7,
  url: "https://scm.example/7",
  state: "open",
  headSha: head,
  list: { text: "a\tproduction\told\tnew\tone\ta/Deployment/web\n", digest: "sha256:1", main },
};
const closed: StagePull = { branch, number: 7, url: "", state: "closed", headSha: head, closedBy: "cleo" };
const plan = {
  head,
  campaign: "shop",
  stage: "half",
  branch,
  at: "2026-11-19T10:00:00.000Z",
  changes: [],
  digest: "sha256:0",
  list: "",
};

interface Case {
  readonly name: string;
  readonly pull: StagePull;
  readonly percent?: number;
  readonly ledger?: Partial<LedgerState>;
  readonly contained?: boolean;
  /** Kind of the decision; undefined without one. */
  readonly want: string | undefined;
}

function follow({ pull, percent = 0, ledger = {}, contained = true }: Case, more: Partial<Snapshot> = {}) {
  const rollouts = `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;
  const compiled = compileSpec(main, rollouts, undefined, { [campaignFile]: campaignOf() });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const whole = makeLedger({ main, judged: main, ...ledger });
  const snapshot: Snapshot = {
    now: noon,
    main: { head: main, ageMs: 0, contained, vanished: [], points: [] },
    ledger: whole,
    specs: new Map([[main, compiled.spec]]),
    clusters: new Map([["one", makeCluster("one", [makeWorkload("a/web")])]]),
    requests: [],
    waitingSince: new Map(),
    pulls: new Map([[pull.branch, pull]]),
    queueUp: true,
    ...more,
  };
  return followPulls(snapshot, whole);
}

const forgotten = { ...plan, campaign: "gone", branch: "meshroll/gone/x" };
const { list: _, ...unjudged } = open;

describe("ledger records for stage pull requests", () => {
  const cases: readonly Case[] = [
    { name: "10.2 the plan of our head is recorded", pull: open, want: "recordPlan" },
    {
      name: "10.2 a recorded plan is not recorded again",
      pull: open,
      ledger: { plans: { [head]: { ...plan, digest: "sha256:1" } } },
      want: undefined,
    },
    {
      name: "10.2 a newer list is recorded an hour after the last one",
      pull: open,
      ledger: { plans: { [head]: plan } },
      want: "recordPlan",
    },
    {
      name: "10.2 a newer list is not recorded within the hour",
      pull: open,
      ledger: { plans: { [head]: { ...plan, listedAt: new Date(noon - 60_000).toISOString() } } },
      want: undefined,
    },
    { name: "10.2 a head that was not judged or is not ours is not recorded", pull: unjudged, want: undefined },
    {
      name: "10.2 a head that was judged against another main is not recorded",
      pull: { ...open, list: { text: "", digest: "", main: sha("old") } },
      want: undefined,
    },
    {
      name: "10.2 a head of no campaign is not recorded",
      pull: { ...open, branch: "meshroll/other/half" },
      want: undefined,
    },
    {
      name: "10.2 a newer list is recorded after exactly an hour",
      pull: open,
      ledger: { plans: { [head]: { ...plan, listedAt: new Date(noon - 3_600_000).toISOString() } } },
      want: "recordPlan",
    },
    { name: "10.2 a merged pull request is not recorded", pull: { ...open, state: "merged" }, want: undefined },
    { name: "10.3 a pull request that a person closed becomes a hold", pull: closed, want: "placeStop" },
    {
      name: "10.3 a pull request that an unknown account closed becomes a hold",
      pull: { ...closed, closedBy: undefined } as unknown as StagePull,
      want: "placeStop",
    },
    {
      name: "10.3 the hold of a closed pull request is placed once",
      pull: closed,
      ledger: {
        stops: {
          "closed-7": {
            id: "closed-7",
            scope: "campaign/shop",
            strength: "propose",
            at: "",
            who: "cleo",
            why: "",
            cause: "closed",
            resume: { at: "", who: "", why: "" },
          },
        },
      },
      want: undefined,
    },
    {
      name: "10.3 a closed pull request of a reached stage becomes no hold",
      pull: closed,
      percent: 50,
      want: undefined,
    },
    { name: "1.7 nothing is recorded while main is rewritten", pull: open, contained: false, want: undefined },
  ];
  for (const each of cases) {
    it(each.name, () => expect(follow(each)?.kind).toBe(each.want));
  }

  it("10.2 the record has the changes of the later run, and obsolete plans are dropped", () => {
    const earlier = { ...plan, head: sha("earlier") };
    const carried = { ...plan, head: sha("carried") };
    const run = makeRun(sha("run"), sha("base"), {
      campaign: "shop",
      stage: "half",
      list: carried.head,
      state: "done",
    });
    const plans = { [earlier.head]: earlier, [carried.head]: carried, [sha("x")]: { ...forgotten, head: sha("x") } };
    const decision = follow({ name: "", pull: open, ledger: { plans, runs: { [run.id]: run } }, want: "" });
    expect(decision).toMatchObject({
      kind: "recordPlan",
      change: {
        plans: [
          {
            plan: {
              head,
              campaign: "shop",
              stage: "half",
              branch,
              digest: "sha256:1",
              at: new Date(noon).toISOString(),
            },
          },
        ],
      },
    });
    expect(decision && renderTransition(decision.reason)).toEqual({
      code: "StageProposed",
      message: "stage half of shop proposed as pull request 7: 1 workloads, sha256:1",
      owner: "meshroll",
    });
    expect(decision?.change.forgotten).toEqual({ plans: [earlier.head, sha("x")] });
    expect(decision?.change.plans?.map(({ plan: { changes } }) => changes)).toEqual([
      [{ pattern: "production", from: '[["old",100]]', to: '[["new",50],["old",50]]', direction: "forward" }],
    ]);
  });

  it("10.2 a newer list keeps the time at which its head was proposed: people have had notice since", () => {
    const decision = follow({ name: "", pull: open, ledger: { plans: { [head]: plan }, sequence: 7 }, want: "" });
    expect(decision).toMatchObject({
      change: { plans: [{ plan: { at: plan.at, listedAt: new Date(noon).toISOString() } }], sequence: 8, main },
    });
    const [first] = follow({ name: "", pull: open, want: "" })?.change.plans ?? [];
    expect(first?.plan).toMatchObject({ head });
    expect(first?.plan).not.toHaveProperty("listedAt");
  });

  it("10.2 a stage that moves nothing has an empty list", () => {
    const pull = { ...open, list: { text: "", digest: "sha256:0", main } };
    const decision = follow({ name: "", pull, want: "" });
    expect(decision && renderTransition(decision.reason).message).toContain(": 0 workloads, sha256:0");
  });

  it("10.2 keeps the plan that an open run carries out, though its campaign is finished", () => {
    const [running, over, stale] = [sha("running"), sha("over"), sha("stale")];
    const plans = Object.fromEntries([running, over, stale].map((each) => [each, { ...forgotten, head: each }]));
    const runs = {
      r1: makeRun(sha("r1"), sha("base"), { id: "r1", campaign: "gone", list: running, buckets: [] }),
      r2: makeRun(sha("r2"), sha("base"), { id: "r2", campaign: "gone", list: over, state: "done" }),
    };
    const other = { ...plan, head: sha("other"), stage: "all", branch: "meshroll/shop/all" };
    const decision = follow({
      name: "",
      pull: open,
      ledger: { plans: { ...plans, [other.head]: other }, runs },
      want: "",
    });
    expect(decision?.change.forgotten).toEqual({ plans: [over, stale] });
  });

  it("10.3 names who closed it, the stage and the number", () => {
    expect(findPlaced(follow({ name: "", pull: closed, want: "" }))).toMatchObject({
      id: "closed-7",
      scope: "campaign/shop",
      strength: "propose",
      who: "cleo",
      cause: "closed",
      pull: 7,
      stage: "half",
    });
  });
});
