import { compileSpec, type StopRecord, evaluateFleet, type Snapshot } from "#libs/plan";
import { campaignFile, campaignOf } from "#test/flow/campaign/stage-campaign";
import { makeCluster, makeLedger, makeRun, makeStop, makeWorkload, noon, sha } from "#test/world/build";
import { wordsOf } from "#test/world/words";
import { describe, expect, it } from "vitest";

import { judgeStages } from "./judge-stages.ts";

const main = sha("main");
const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
const one = makeCluster(
  "one",
  names.map((name) => makeWorkload(`${name}/web`)),
);

interface Case {
  readonly name: string;
  readonly percent?: number;
  readonly rollouts?: string;
  readonly campaign?: string;
  readonly stop?: Pick<StopRecord, "scope"> & Partial<StopRecord>;
  readonly snapshot?: Partial<Snapshot>;
  /** The kind, or the code of the wait. */
  readonly want: string;
}

const run = makeRun(sha("half"), sha("base"), { campaign: "shop", stage: "half", state: "done" });

function judge({ percent = 0, rollouts, campaign = campaignOf(), stop, snapshot = {} }: Case) {
  const text = rollouts ?? `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;
  const compiled = compileSpec(main, text, undefined, { [campaignFile]: campaign });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const stops = stop === undefined ? {} : { s: makeStop({ id: "s", ...stop }) };
  const whole: Snapshot = {
    now: noon,
    main: { head: main, ageMs: 0, contained: true, vanished: [], points: [] },
    ledger: makeLedger({ main, judged: main, runs: { [run.id]: run }, stops }),
    specs: new Map([[main, compiled.spec]]),
    clusters: new Map([["one", one]]),
    requests: [],
    waitingSince: new Map(),
    queueUp: true,
    ...snapshot,
  };
  const [verdict] = judgeStages(whole, compiled.spec, evaluateFleet(whole, compiled.spec));
  return verdict;
}

const unmoving = "    - { name: hair, set: { production: 1 } }\n    - { name: all, set: { production: 100 } }\n";
const foreign = "production:\n  old: 50\n  other: 50\n";

describe("1.5 the next stage", () => {
  const cases: readonly Case[] = [
    { name: "is proposed if there is no obstacle", want: "propose half" },
    { name: "is the first one that is not reached", percent: 50, want: "propose all" },
    { name: "does not exist if all are reached", percent: 100, want: "complete" },
    { name: "waits for a baseline", snapshot: { ledger: undefined }, want: "NoBaseline" },
    {
      name: "waits while main's history is rewritten",
      snapshot: { main: { head: main, ageMs: 0, contained: false, vanished: [], points: [] } },
      want: "MainRewritten",
    },
    {
      name: "waits for commits that are not judged yet",
      snapshot: {
        main: {
          head: main,
          ageMs: 0,
          contained: true,
          vanished: [],
          points: [{ commit: { sha: main, author: "ana", subject: "", at: 0 }, findings: [] }],
        },
      },
      want: "StageUnjudged",
    },
    {
      name: "waits for a correction if it would move no workload",
      campaign: campaignOf("", unmoving),
      want: "StageEmpty",
    },
    {
      name: "waits if the target's version is unknown and the campaign has maxVersion",
      campaign: campaignOf('  maxVersion: "1.2.3"\n'),
      want: "VersionUnknown",
    },
  ];
  for (const each of cases) {
    it(`1.5 ${each.name}`, () => {
      const verdict = judge(each);
      const told =
        verdict?.kind === "propose"
          ? `propose ${verdict.stage.name}`
          : verdict?.kind === "wait"
            ? verdict.reason.code
            : verdict?.kind;
      expect(told).toBe(each.want);
    });
  }

  it("1.5 names who can end a wait, and how", () => {
    const verdict = judge({
      name: "",
      stop: { scope: "campaign/shop", strength: "propose", who: "cleo", why: "freeze" },
      want: "",
    });
    expect(verdict).toMatchObject({
      kind: "wait",
      branch: "meshroll/shop/half",
      reason: { code: "StageHeld", stop: { who: "cleo", scope: "campaign/shop", strength: "propose" } },
    });
  });

  it("1.5 waits if the rest of its bucket belongs to revisions that the campaign leaves alone", () => {
    const stages = "    - { name: most, set: { production: 75 } }\n";
    const verdict = judge({ name: "", campaign: campaignOf("", stages), rollouts: foreign, want: "" });
    expect(verdict).toMatchObject({
      kind: "wait",
      reason: { code: "StageImpossible", campaign: { owners: ["user:ana"] } },
    });
    const reason = verdict?.kind === "wait" ? wordsOf(verdict.reason) : undefined;
    expect(reason?.message).toMatch(/^stage most of shop cannot be proposed: [^;]+; \S/u);
    expect(reason?.command).toBe(`meshroll validate ${campaignFile}`);
  });

  it("1.6 says which stage moves no workload, with its percentages, and its place", () => {
    const verdict = judge({ name: "", campaign: campaignOf("", unmoving), want: "" });
    expect(verdict?.kind === "wait" ? wordsOf(verdict.reason) : verdict).toMatchObject({
      message: expect.stringMatching(
        /^stage hair of shop \(production 1 %\) moves no workload: .* in campaigns\/shop\.yml:\d+, or remove the stage$/u,
      ) as string,
      owner: "user:ana",
      command: "meshroll plan shop",
    });
  });

  it("1.6 workloads that meshroll does not manage do not count", () => {
    const bare = { labels: {}, annotations: {}, hostNetwork: false };
    const fleet = (...workloads: readonly ReturnType<typeof makeWorkload>[]) =>
      new Map([["one", makeCluster("one", workloads)]]);
    const told = (clusters: ReturnType<typeof fleet>) => {
      const verdict = judge({ name: "", percent: 50, snapshot: { clusters }, want: "" });
      return verdict?.kind === "wait" ? verdict.reason.code : verdict?.kind;
    };
    const plain = names.map((name) => makeWorkload(`${name}/plain`, { template: bare, pods: [] }));
    const real = names.map((name) => makeWorkload(`${name}/web`));
    expect([told(fleet(...plain)), told(fleet(...plain, ...real))]).toEqual(["StageEmpty", "propose"]);
  });

  it("1.5 a fleet that grew under the same file is evaluated again", () => {
    const compiled = compileSpec(main, "production:\n  old: 100\n", undefined, {
      [campaignFile]: campaignOf("", unmoving),
    });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
    const kindOf = (count: number) => {
      const grown = makeCluster(
        "one",
        Array.from({ length: count }, (_, index) => makeWorkload(`n${index}/web`)),
      );
      const snapshot: Snapshot = {
        now: noon,
        main: { head: main, ageMs: 0, contained: true, vanished: [], points: [] },
        ledger: makeLedger({ main, judged: main }),
        specs: new Map([[main, compiled.spec]]),
        clusters: new Map([["one", grown]]),
        requests: [],
        waitingSince: new Map(),
        queueUp: true,
      };
      return judgeStages(snapshot, compiled.spec, evaluateFleet(snapshot, compiled.spec))[0]?.kind;
    };
    expect([kindOf(3), kindOf(400), kindOf(3)]).toEqual(["wait", "propose", "wait"]);
  });
});
