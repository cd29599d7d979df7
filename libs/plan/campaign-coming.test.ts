import { builtInSettings, type Campaign, type Settings } from "#libs/campaign";
import { decide, describeFleet, type RunRecord, type StagePull, surveyFleet, type World } from "#libs/plan";
import {
  arrived,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeStop,
  makeWorkload,
  makeWorld,
  noon,
  runId,
  sha,
} from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaign";
import { describe, expect, test } from "vitest";

const hour = 3_600_000;
const iso = (ms: number) => new Date(noon + ms).toISOString();
const names = Array.from({ length: 8 }, (_, index) => `ns-${index}/api`);
const old = names.map((name) => makeWorkload(name));
const workloads = (moved: number) => old.map((each, index) => (index < moved ? arrived(each, "new", runId) : each));

interface Scene {
  /** Settings of stage `half`, which main has reached, and of `all`, which is next. */
  readonly half?: Partial<Settings>;
  readonly all?: Partial<Settings>;
  readonly campaign?: Partial<Campaign>;
  /** Of the eight workloads so many have arrived. */
  readonly moved?: number;
  readonly run?: Partial<RunRecord>;
  readonly world?: Partial<World>;
  readonly stops?: Readonly<Record<string, ReturnType<typeof makeStop>>>;
  readonly plans?: ReturnType<typeof makeLedger>["plans"];
}

function see({ half, all, campaign = {}, moved = 8, run, world = {}, stops = {}, plans = {} }: Scene) {
  const [base, head] = [sha("base"), sha("head")];
  const stages = [makeStage("half", 50, half), makeStage("all", 100, all)];
  const up = makeCampaign({ stages, ...campaign });
  const changes = [{ pattern: "production", from: "old: 100", to: "new: 50, old: 50", direction: "forward" as const }];
  const opened = { one: { openedAt: iso(-hour), unhealthyBefore: [] } };
  const record = makeRun(head, base, {
    campaign: "up",
    stage: "half",
    startedAt: iso(-hour),
    changes,
    clusters: opened,
    ...run,
  });
  const looked = makeWorld({
    specs: new Map([
      [base, withCampaign(makeSpec(base, 0), up)],
      [head, withCampaign(makeSpec(head, 50), up)],
    ]),
    ledger: makeLedger({ main: head, judged: head, runs: { [runId]: record }, stops, plans }),
    clusters: new Map([["one", makeCluster("one", workloads(moved))]]),
    pulls: new Map(),
    ...world,
  });
  const spec = looked.specs.get(head);
  if (spec === undefined) throw new Error("main does not parse");
  const { judged, views } = surveyFleet(looked, spec);
  const [status] = describeFleet(looked, spec, judged, views, decide(looked)).campaigns ?? [];
  if (status === undefined) throw new Error("the status names no campaign");
  return status;
}

const over = { state: "done", endedAt: iso(-60_000) } as const;
const pull: StagePull = {
  branch: "meshroll/up/all",
  number: 7,
  url: "https://github.com/acme/rollouts/pull/7",
  state: "open",
  headSha: "c".repeat(40),
};
const open = { pulls: new Map([[pull.branch, pull]]) };
const coming = (scene: Scene) => see(scene).otherwise.map(({ event, text }) => `${event}: ${text}`);

describe("what comes if nobody acts", () => {
  const cases: Readonly<Record<string, { readonly scene: Scene; readonly want: readonly string[] }>> = {
    "nothing arrived yet: nobody can say when batches end": {
      scene: { moved: 0 },
      want: [
        "BatchesEnd: 6 workloads go on in batches",
        "PullRequestOpens: then the pull request for all opens: a person merges it, with 1 approval",
      ],
    },
    "the next stage merges itself at once, or after its notice": {
      scene: { run: over, all: { autoMerge: { notice: 30 * 60_000 } } },
      want: [
        "PullRequestOpens: then the pull request for all opens: it merges itself 30 min after its checks are green",
      ],
    },
    "an open one of that kind": {
      scene: { run: over, all: { autoMerge: { notice: 0 } }, world: open },
      want: ["PullRequestMerges: #7 for all stays open: it merges itself once its checks are green"],
    },
    "nobody has to approve": {
      scene: { run: over, all: { approvals: { required: 0, from: [], allowAuthor: false } }, world: open },
      want: ["Nothing: #7 for all stays open: a person merges it"],
    },
    "two of several teams": {
      scene: {
        run: over,
        all: { approvals: { required: 2, from: ["team:a", "team:b"], allowAuthor: false } },
        world: open,
      },
      want: ["Nothing: #7 for all stays open: a person merges it, with 2 approvals of team:a or team:b"],
    },
    "a freeze lets go on what is left when it ends": {
      scene: { moved: 5, half: { freezes: [{ from: noon - hour, to: noon + hour, reason: "peak" }] } },
      want: [expect.stringMatching(/^FreezeEnds: \d workloads go on at /u) as string, expect.any(String) as string],
    },
    "the last stage is through": {
      scene: { campaign: { stages: [makeStage("half", 50)] }, moved: 5 },
      want: [expect.stringMatching(/^BatchesEnd: /u) as string, "Nothing: then campaign up is through"],
    },
    "every stage is through": {
      scene: { campaign: { stages: [makeStage("half", 50)] }, run: over },
      want: ["Nothing: nothing: every stage is through; meshroll finish up ends it"],
    },
    "what is excluded soon is not any more": {
      scene: {
        run: over,
        campaign: {
          exclude: [{ pattern: "x-.*", matches: (name) => name.startsWith("x-"), reason: "audit", until: noon + hour }],
        },
      },
      want: [
        expect.stringMatching(/^PullRequestOpens/u) as string,
        `ExclusionEnds: x-.* is left out until ${iso(hour)}`,
      ],
    },
  };
  test.each(Object.entries(cases))("%s", (_, { scene, want }) => expect(coming(scene)).toEqual(want));

  test("at the pace so far, in steps of five minutes", () => {
    const { otherwise, counts } = see({ moved: 5 });
    const left = counts.due + counts.moving + counts.waiting;
    const end = Math.ceil((noon + (hour / counts.arrived) * left) / 300_000) * 300_000;
    expect(otherwise[0]).toEqual({
      event: "BatchesEnd",
      at: new Date(end).toISOString(),
      text: `${left} workloads go on in batches, at this pace until about ${new Date(end).toISOString()}`,
    });
  });

  test("a freeze far ahead is not told, the first near one is", () => {
    const freeze = (days: number) => ({
      from: noon + days * 24 * hour,
      to: noon + days * 24 * hour + hour,
      reason: `in ${days}`,
    });
    const events = coming({ run: over, all: { freezes: [freeze(30), freeze(9), freeze(3)] } });
    expect(events.filter((each) => each.startsWith("FreezeBegins"))).toEqual([
      `FreezeBegins: freeze "in 3" begins at ${iso(3 * 24 * hour)}`,
    ]);
  });
});

describe("6.2 a bake in figures", () => {
  const bake = { beganAt: iso(-hour), neededMs: 300_000, healthyMs: 60_000, savedAt: iso(-1000) };
  const half = { bake: 300_000 };

  test("a short one to the second, a long one to the minute", () => {
    expect(see({ half, run: { bake } }).bake).toEqual({ healthySeconds: 60, neededSeconds: 300, endsAt: iso(240_000) });
    const long = { ...bake, neededMs: hour, healthyMs: 61_500 };
    expect(see({ half: { bake: hour }, run: { bake: long } }).bake?.endsAt).toBe(iso(hour - 60_000));
  });

  test("one that was lengthened meanwhile, one that nobody asks for any more, and none at all", () => {
    expect(see({ half: { bake: hour }, run: { bake } }).bake?.neededSeconds).toBe(3600);
    expect(see({ half: { bake: 0 }, run: { bake } }).bake).toMatchObject({ healthySeconds: 0, neededSeconds: 0 });
    expect(see({ half: { bake: 0 } }).bake).toBeUndefined();
  });

  test("before it began nobody can say when it ends; what it needs is told", () => {
    expect(see({ half, moved: 5 }).bake).toEqual({ healthySeconds: 0, neededSeconds: 300 });
    expect(coming({ half, moved: 5 })[1]).toBe("BakeEnds: then 5 min of health are needed (the bake)");
  });

  test("why it stood still when it was saved, while no planner watched since", () => {
    const paused = { ...bake, paused: "the bake stands still: one is not seen" };
    expect(see({ half, run: { bake: paused } }).bake).toMatchObject({ paused: paused.paused });
  });
});

describe("the wait for a pull request that merges itself", () => {
  const plans = {
    [pull.headSha]: {
      head: pull.headSha,
      campaign: "up",
      stage: "all",
      branch: pull.branch,
      at: iso(-600_000),
      changes: [],
      digest: "",
      list: "",
    },
  };
  const all = { autoMerge: { notice: 1_800_000 } };

  test("names when its notice is over", () => {
    const [wait] = see({ run: over, all, world: open, plans }).waitingFor;
    expect(wait).toMatchObject({ code: "MergeNotice", owner: "meshroll", until: iso(1_200_000) });
    expect(wait?.message).toBe("#7 for all merges itself once its checks are green and its notice is over");
  });

  test("and afterwards only waits for its checks", () => {
    const late = { [pull.headSha]: { ...plans[pull.headSha]!, at: iso(-2 * hour) } };
    const [wait] = see({ run: over, all, world: open, plans: late }).waitingFor;
    expect(wait).not.toHaveProperty("until");
    expect(wait?.message).toBe("#7 for all merges itself once its checks are green");
  });
});

describe("failures that bound nothing", () => {
  test("have neither an allowance nor a rest", () => {
    const batch = { ...builtInSettings.batch, failurePolicy: "ContinueOnError" as const };
    expect(see({ half: { batch } }).failures).toEqual({ count: 0, items: [] });
    expect(see({}).failures).toMatchObject({ count: 0, allowed: 0, left: 0 });
  });
});

test("7.1 pauses of a cluster are told where they hold work, not as the campaign's own", () => {
  const stops = { c: makeStop({ id: "c", scope: "cluster/one", why: "a drill" }) };
  const status = see({ stops });
  expect(status.stops).toMatchObject([{ id: "c" }]);
  expect(status.waitingFor.filter(({ code }) => code === "Stopped").length).toBeLessThanOrEqual(1);
});
