import { writeText } from "#libs/wording";
import { readVerdict } from "#test/world/words";
import { compileSpec, judgePullRequest, type MergedFiles, type Snapshot } from "#libs/plan";
import { makeLedger, makeRun, makeStop, sha } from "#test/world/build";
import { approve, filesOf, headSha, mainSha, request } from "#test/world/pull-request";
import { describe, expect, it } from "vitest";

const file = (percent: number): string => `production:\n  old: ${100 - percent}\n  new: ${percent}\n`;

/** A campaign with a rule for each stage. */
const campaign = (more = ""): string => `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: shop }
spec:
  target: new
  replaces: [old]
  owners: ["team:mesh"]
  stages:
    - { name: some, set: { production: 25 }, approvals: { required: 1, from: ["team:mesh"] } }
    - { name: half, set: { production: 50 }, approvals: { required: 2, from: ["team:mesh", "user:boss"] } }
    - { name: self, set: { production: 75 }, autoMerge: { notice: 1h } }
${more}`;
const path = "campaigns/shop.yml";
const settings = "defaults:\n  approvals: 1\n";
interface Case {
  readonly name: string;
  readonly main: number;
  readonly after: number;
  readonly approvedBy?: readonly string[];
  readonly objection?: string;
  readonly isByOthers?: true;
  readonly campaignAfter?: string;
  readonly settingsAfter?: string;
  readonly want: readonly [string, string];
}

const teams = new Map<string, readonly string[] | undefined>([["mesh", ["ben", "cleo", "ana"]]]);

const listOrigin = ({ isByOthers }: Case) => (isByOthers === true ? {} : { own: "stage" as const });
function judge(each: Case, snapshot: Partial<Snapshot> = {}) {
  const before = compileSpec(mainSha, file(each.main), settings, { [path]: campaign() });
  const text = file(each.after);
  const texts = { [path]: each.campaignAfter ?? campaign(), "rollouts.yml": text };
  const compiled = compileSpec(headSha, text, each.settingsAfter ?? settings, { [path]: texts[path] });
  if (!before.ok) throw new Error(JSON.stringify(before.findings));
  const changed = each.campaignAfter === undefined ? [] : [path];
  const merged: MergedFiles = {
    kind: "files",
    compiled,
    texts,
    campaigns: changed,
    changed: ["rollouts.yml", ...changed],
  };
  const objections = each.objection === undefined ? [] : [approve(each.objection, { state: "changesRequested" })];
  const reviews = [...(each.approvedBy ?? []).map((login) => approve(login)), ...objections];
  const question = request(merged, {
    main: before.spec,
    reviews,
    snapshot: { ledger: makeLedger({ main: mainSha, judged: mainSha }), ...snapshot },
  });
  const pull = {
    ...question.pull,
    author: "meshroll",
    branch: each.main === each.after ? "ana/plan" : "meshroll/shop/self",
  };
  return readVerdict(judgePullRequest({ ...question, pull, teams, ...listOrigin(each) }));
}

describe("10.1 meshroll/approvals by the campaign's rule", () => {
  const cases: readonly Case[] = [
    {
      name: "is green with the approval of a team member",
      main: 0,
      after: 25,
      approvedBy: ["Ben"],
      want: ["success", "1 of 1 approvals from team:mesh"],
    },
    {
      name: "does not count an account that is not in the team",
      main: 0,
      after: 25,
      approvedBy: ["mallory"],
      want: ["pending", "0 of 1 approvals from team:mesh"],
    },
    {
      name: "takes the rule of the last stage that is reached",
      main: 0,
      after: 50,
      approvedBy: ["ben"],
      want: ["pending", "1 of 2 approvals from team:mesh or user:boss"],
    },
    {
      name: "counts a user who is named next to the team",
      main: 25,
      after: 50,
      approvedBy: ["ben", "boss"],
      want: ["success", "2 of 2 approvals from team:mesh or user:boss"],
    },
    {
      name: "takes main's rule if the change lowers the campaign's own rule",
      main: 0,
      after: 25,
      campaignAfter: campaign().replace('required: 1, from: ["team:mesh"]', "required: 0"),
      want: ["pending", "0 of 1 approvals from team:mesh"],
    },
    {
      name: "needs no approval for exactly what main's campaign says of a stage with autoMerge",
      main: 50,
      after: 75,
      want: ["success", "none needed: stage self merges itself"],
    },
    {
      name: "needs approvals for a stage with autoMerge if others made the head",
      main: 50,
      after: 75,
      isByOthers: true,
      want: ["pending", "0 of 1 approvals; 0 of 2 in all, because its head is not meshroll's"],
    },
    {
      name: "is red for a stage with autoMerge while a reviewer requests changes",
      main: 50,
      after: 75,
      objection: "cleo",
      want: ["failure", "changes requested by cleo"],
    },
    {
      name: "needs approvals for a stage with autoMerge if other settings change too",
      main: 50,
      after: 75,
      settingsAfter: "defaults:\n  bake: 1s\n",
      want: ["pending", "0 of 1 approvals"],
    },
  ];
  for (const each of cases) {
    it(each.name, () => {
      const { approvals } = judge(each);
      expect([approvals.state, approvals.title]).toEqual(each.want);
    });
  }

  it("names an unknown team, and waits", () => {
    const change = compileSpec(mainSha, file(0), "defaults:\n  approvals: { required: 1, from: ['team:gone'] }\n");
    if (!change.ok) throw new Error(JSON.stringify(change.findings));
    const question = request(filesOf(file(50)), { main: change.spec, reviews: [approve("ben")] });
    const { approvals } = readVerdict(judgePullRequest(question));
    const title = "0 of 1 approvals from team:gone: team:gone is not known";
    expect([approvals.state, approvals.title]).toEqual(["pending", title]);
    expect(approvals.summary).toMatch(/^`team:gone` is not known: .*`read:org`/mu);
  });
});

describe("10.1 meshroll/plan of a stage", () => {
  const self: Case = { name: "", main: 50, after: 75, want: ["", ""] };
  const before = makeRun(sha("50"), sha("25"), {
    state: "done",
    campaign: "shop",
    stage: "half",
    clusters: {},
    gates: { restarts: { verdict: "pass", at: "2026-11-19T12:00:00.000Z", why: writeText("0 of 4 failed") } },
    outcome: { migrated: 4, skipped: [], seen: ["one"] },
  });
  const ledger = makeLedger({ main: mainSha, judged: mainSha, runs: { [before.id]: before } });

  it("shows the evidence of the stage before", () => {
    const { plan } = judge(self, { ledger });
    expect(plan.state).toBe("success");
    expect(plan.summary).toContain(
      `Evidence from \`half\` (run \`${before.id}\`): 4 migrated, 1 of 1 gates without a failure.`,
    );
  });

  it("waits while a run of the campaign is open", () => {
    const open = { ...ledger, runs: { [before.id]: { ...before, state: "open" as const } } };
    const { plan } = judge(self, { ledger: open });
    const title = `the next stage waits for run ${before.id} of half to finish`;
    expect([plan.state, plan.title]).toEqual(["pending", title]);
  });

  it("is red while its campaign is held", () => {
    const stop = makeStop({ id: "s", scope: "campaign/shop", strength: "propose", who: "cleo", why: "not today" });
    const held = { ...ledger, stops: { s: stop } };
    const { plan } = judge(self, { ledger: held });
    expect([plan.state, plan.title]).toEqual(["failure", "held by cleo: not today"]);
  });

  it("does not change when a cluster is not seen for a while", () => {
    const stale = new Map(
      [...request({ kind: "untouched" }).snapshot.clusters].map(([name, each]) => [name, { ...each, fresh: false }]),
    );
    expect(judge(self, { ledger, clusters: stale }).plan.state).toBe("success");
  });
});

describe("10.1 a change of a campaign", () => {
  it("shows what each stage will move, from main's present shares", () => {
    const more = "    - { name: all, set: { production: 100 } }\n";
    const { plan } = judge({ name: "", main: 25, after: 25, campaignAfter: campaign(more), want: ["", ""] });
    expect(plan.state).toBe("success");
    expect(plan.summary).toContain("| `some` | `production` 25 % | reached |");
    expect(plan.summary).toMatch(/\| `half` \(next\) \| `production` 50 % \| \d \|/u);
    expect(plan.summary).toMatch(/\| `self` \| `production` 75 % \| \d \|/u);
  });

  it("names a stage that would move no workload", () => {
    const more = "    - { name: hair, set: { production: 76 } }\n";
    const { plan } = judge({ name: "", main: 75, after: 75, campaignAfter: campaign(more), want: ["", ""] });
    expect(plan.summary).toContain("**no workload**");
  });

  it("is red when it does not parse, with the line", () => {
    const broken = campaign().replace("target: new", "targt: new");
    const { plan } = judge({ name: "", main: 25, after: 25, campaignAfter: broken, want: ["", ""] });
    expect(plan.state).toBe("failure");
    expect(plan.title).toMatch(/^campaigns\/shop\.yml:\d+:\d+ error\[MR\d+\]/u);
  });
});
