import { writeText } from "#libs/wording";
import { builtInSettings } from "#libs/campaign";
import type { StagePull } from "#libs/plan";
import { makeStop, noon, runId } from "#test/world/build";
import { makeStage } from "#test/world/campaigns/campaign";
import { type CampaignSetup, hour, iso, seeCampaign } from "#test/world/campaigns/campaign-view";
import { sayComing } from "#test/world/words";
import { describe, expect, test } from "vitest";

const over = { state: "done", endedAt: iso(-60_000) } as const;
const pull: StagePull = {
  branch: "meshroll/up/all",
  number: 7,
  url: "https://github.com/acme/rollouts/pull/7",
  state: "open",
  headSha: "c".repeat(40),
};
const open = { pulls: new Map([[pull.branch, pull]]) };
const coming = (context: CampaignSetup) => seeCampaign(context).next.map((each) => `${each.event}: ${sayComing(each)}`);

describe("the next events without a person", () => {
  const merges = "PullRequestOpens: then the pull request for all opens: a person merges it, with 1 approval";
  const daily = (from: number, hours: number) =>
    ({
      kind: "allow",
      schedule: `0 ${from} * * *`,
      duration: hours * hour,
      timeZone: "Europe/Berlin",
      atEnd: "finishBatch",
    }) as const;
  const baked = { beganAt: iso(-hour), neededMs: hour, healthyMs: 1000, savedAt: iso(-1000) };
  const hold = (scope: Parameters<typeof makeStop>[0]["scope"]) => makeStop({ id: "h", scope, strength: "propose" });
  const held = (scope: string) => `then nothing: all is not proposed while the stop of ana on ${scope} is active`;
  const cases: Readonly<Record<string, { readonly context: CampaignSetup; readonly want: readonly string[] }>> = {
    "nothing arrived yet: it is unknown when batches end": {
      context: { moved: 0 },
      want: [
        "BatchesEnd: 6 workloads left, in batches",
        "PullRequestOpens: then the pull request for all opens: a person merges it, with 1 approval",
      ],
    },
    "the next stage merges itself at once, or after its notice": {
      context: { run: over, all: { autoMerge: { notice: 30 * 60_000 } } },
      want: [
        "PullRequestOpens: then the pull request for all opens: it merges itself 30 min after its checks are green",
      ],
    },
    "an open one of that kind": {
      context: { run: over, all: { autoMerge: { notice: 0 } }, snapshot: open },
      want: ["PullRequestMerges: #7 for all stays open: it merges itself once its checks are green"],
    },
    "no approval is needed": {
      context: { run: over, all: { approvals: { required: 0, from: [], allowAuthor: false } }, snapshot: open },
      want: ["Nothing: #7 for all stays open: a person merges it"],
    },
    "two of several teams": {
      context: {
        run: over,
        all: { approvals: { required: 2, from: ["team:a", "team:b"], allowAuthor: false } },
        snapshot: open,
      },
      want: ["Nothing: #7 for all stays open: a person merges it, with 2 approvals of team:a or team:b"],
    },
    "a freeze lets go on what is left when it ends": {
      context: { moved: 5, half: { freezes: [{ from: noon - hour, to: noon + hour, reason: "peak" }] } },
      want: [
        expect.stringMatching(/^FreezeEnds: at \S+ \d workloads may move again$/u) as string,
        expect.any(String) as string,
      ],
    },
    "the last stage is through": {
      context: { campaign: { stages: [makeStage("half", 50)] }, moved: 5 },
      want: [expect.stringMatching(/^BatchesEnd: /u) as string, "Nothing: then campaign up is complete"],
    },
    "every stage is complete": {
      context: { campaign: { stages: [makeStage("half", 50)] }, run: over },
      want: ["Nothing: nothing: every stage is complete"],
    },
    "a run of a stage that the file does not have any more goes on": {
      context: { campaign: { stages: [makeStage("half", 50)] }, run: { stage: "renamed" }, moved: 5 },
      want: [expect.stringMatching(/^BatchesEnd: /u) as string, "Nothing: then campaign up is complete"],
    },
    "a wave that opened this very moment has no pace yet": {
      context: { moved: 5, run: { clusters: { one: { openedAt: iso(0), unhealthyBefore: [] } } } },
      want: [expect.stringMatching(/^BatchesEnd: \d workloads left, in batches$/u) as string, merges],
    },
    "a calendar that never closes is not told": {
      context: { moved: 0, half: { freezes: [{ from: noon - 2 * hour, to: noon - hour, reason: "peak" }] } },
      want: ["BatchesEnd: 6 workloads left, in batches", merges],
    },
    "a window that closes is shown while it is unknown when batches end": {
      context: { moved: 0, half: { windows: [daily(9, 8)] } },
      want: [
        "BatchesEnd: 6 workloads left, in batches",
        "WindowCloses: at 2026-11-19T16:00:00.000Z the window closes: workloads that have not moved by then wait",
        merges,
      ],
    },
    "not when batches end before": {
      context: { moved: 5, half: { windows: [daily(9, 8)] } },
      want: [expect.stringMatching(/^BatchesEnd: /u) as string, merges],
    },
    "one that never does says that": {
      context: { moved: 0, half: { windows: [{ ...daily(9, 1), schedule: "0 9 30 2 *" }] } },
      want: ["WindowOpens: 6 workloads cannot move: no window opens within a year", merges],
    },
    "a bake that is over is not told": {
      context: { half: { bake: hour }, run: { bake: { ...baked, healthyMs: hour } } },
      want: [expect.stringMatching(/^PullRequestOpens: /u) as string],
    },
    "a hold on the campaign proposes nothing": {
      context: { run: { bake: baked }, half: { bake: hour }, stops: { h: hold("campaign/up") } },
      want: [expect.stringMatching(/^BakeEnds: /u) as string, `Nothing: ${held("campaign/up")}`],
    },
    "nor does one on a bucket that the next stage sets": {
      context: { run: { bake: baked }, half: { bake: hour }, stops: { h: hold("bucket/production") } },
      want: [expect.stringMatching(/^BakeEnds: /u) as string, `Nothing: ${held("bucket/production")}`],
    },
    "one on the run itself holds no stage": {
      context: { run: { bake: baked }, half: { bake: hour }, stops: { h: hold(`run/${runId}`) } },
      want: [expect.stringMatching(/^BakeEnds: /u) as string, expect.stringMatching(/^PullRequestOpens: /u) as string],
    },
    "after a pull request that was closed another one opens": {
      context: { run: over, snapshot: { pulls: new Map([[pull.branch, { ...pull, state: "closed" }]]) } },
      want: [merges],
    },
    "deploys are awaited until the deadline, whatever the calendar says": {
      context: {
        moved: 0,
        half: {
          strategy: "OnDeploy",
          deadline: 24 * hour,
          freezes: [{ from: noon - hour, to: noon + hour, reason: "x" }],
        },
      },
      want: [
        "DeploysEnd: 6 workloads left, moved by deploys of their owners",
        `BatchesBegin: at ${iso(23 * hour)} batches begin to restart the remaining workloads`,
        merges,
      ],
    },
    "their pace is told while it ends before the deadline": {
      context: { moved: 5, half: { strategy: "OnDeploy", deadline: 24 * hour } },
      want: [
        expect.stringMatching(/^DeploysEnd: .* until about \S+Z$/u) as string,
        `BatchesBegin: at ${iso(23 * hour)} batches begin to restart the remaining workloads`,
        merges,
      ],
    },
    "from the deadline on there are batches": {
      context: { moved: 0, half: { strategy: "OnDeploy", deadline: hour } },
      want: ["BatchesEnd: 6 workloads left, in batches", merges],
    },
    "what was excluded, or is for long, is not told": {
      context: {
        run: over,
        campaign: {
          exclude: [noon - 1, noon, noon + 14 * 24 * hour].map((until) => ({
            pattern: "x",
            matches: () => false,
            reason: "audit",
            until,
          })),
        },
      },
      want: [merges],
    },
    "what is excluded soon is not any more": {
      context: {
        run: over,
        campaign: {
          exclude: [{ pattern: "x-.*", matches: (name) => name.startsWith("x-"), reason: "audit", until: noon + hour }],
        },
      },
      want: [
        expect.stringMatching(/^PullRequestOpens/u) as string,
        `ExclusionEnds: at ${iso(hour)} the exclusion of x-.* ends`,
      ],
    },
  };
  test.each(Object.entries(cases))("%s", (_, { context, want }) => expect(coming(context)).toEqual(want));

  test("at the pace so far, in steps of five minutes", () => {
    const { next, counts } = seeCampaign({ moved: 5 });
    const left = counts.pending + counts.migrating + counts.waiting;
    const end = Math.ceil((noon + (hour / counts.migrated) * left) / 300_000) * 300_000;
    expect(next[0]).toEqual({
      event: "BatchesEnd",
      at: new Date(end).toISOString(),
      isEstimate: true,
      text: `${left} workloads left, in batches`,
    });
  });

  test("a distant freeze is not listed, the first near one is", () => {
    const freeze = (days: number) => ({
      from: noon + days * 24 * hour,
      to: noon + days * 24 * hour + hour,
      reason: `in ${days}`,
    });
    const events = coming({ run: over, all: { freezes: [freeze(30), freeze(9), freeze(3)] } });
    expect(events.filter((each) => each.startsWith("FreezeBegins"))).toEqual([
      `FreezeBegins: at ${iso(3 * 24 * hour)} freeze "in 3" begins`,
    ]);
    expect(coming({ run: over, all: { freezes: [freeze(30)] } }).join()).not.toContain("FreezeBegins");
  });
});

describe("6.2 a bake in figures", () => {
  const bake = { beganAt: iso(-hour), neededMs: 300_000, healthyMs: 60_000, savedAt: iso(-1000) };
  const half = { bake: 300_000 };

  test("a short one to the second, a long one to the minute", () => {
    expect(seeCampaign({ half, run: { bake } }).bake).toEqual({
      healthySeconds: 60,
      neededSeconds: 300,
      endsAt: iso(240_000),
    });
    const long = { ...bake, neededMs: hour, healthyMs: 61_500 };
    expect(seeCampaign({ half: { bake: hour }, run: { bake: long } }).bake?.endsAt).toBe(iso(hour - 60_000));
  });

  test("a bake that was extended, one that is not required any more, and none", () => {
    expect(seeCampaign({ half: { bake: hour }, run: { bake } }).bake?.neededSeconds).toBe(3600);
    expect(seeCampaign({ half: { bake: 0 }, run: { bake } }).bake).toMatchObject({
      healthySeconds: 0,
      neededSeconds: 0,
    });
    expect(seeCampaign({ half: { bake: 0 } }).bake).toBeUndefined();
  });

  test("before its start its end is unknown, and the required time is shown", () => {
    expect(seeCampaign({ half, moved: 5 }).bake).toEqual({ healthySeconds: 0, neededSeconds: 300 });
    expect(coming({ half, moved: 5 })[1]).toBe("BakeEnds: then the bake: 5 min of healthy time");
  });

  test("the saved reason of its pause, while no planner has watched since", () => {
    const paused = {
      ...bake,
      paused: { code: "BakeUnseen", message: writeText("the bake is interrupted: one is not seen") },
    };
    expect(seeCampaign({ half, run: { bake: paused } }).bake).toMatchObject({ paused: paused.paused });
  });
});

describe("the wait for a pull request that is merged automatically", () => {
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
    const [wait] = seeCampaign({ run: over, all, snapshot: open, plans }).waiting;
    expect(wait).toMatchObject({ code: "MergeNotice", owner: "meshroll", until: iso(1_200_000) });
    expect(wait?.message).toBe(
      "stage all of up merges itself by pull request 7 after its notice period, once both checks are green",
    );
  });

  test("waits only for its checks after its notice", () => {
    const late = { [pull.headSha]: { ...plans[pull.headSha]!, at: iso(-2 * hour) } };
    const [wait] = seeCampaign({ run: over, all, snapshot: open, plans: late }).waiting;
    expect(wait).not.toHaveProperty("until");
    expect(wait?.message).toBe("stage all of up merges itself by pull request 7 once both checks are green");
  });
});

describe("failures without a limit", () => {
  test("have no allowed and no remaining number", () => {
    const batch = { ...builtInSettings.batch, failurePolicy: "ContinueOnError" as const };
    expect(seeCampaign({ half: { batch } }).failures).toEqual({ count: 0, namespaces: 0, counted: 0, items: [] });
    expect(seeCampaign({}).failures).toMatchObject({ count: 0, allowed: 0, left: 0 });
  });
});

test("7.1 pauses of a cluster are listed where they hold work, not as the campaign's", () => {
  const stops = { c: makeStop({ id: "c", scope: "cluster/one", why: "a drill" }) };
  const status = seeCampaign({ stops });
  expect(status.stops).toMatchObject([{ id: "c" }]);
  expect(status.waiting.filter(({ code }) => code === "Stopped")).toEqual([]);
});
