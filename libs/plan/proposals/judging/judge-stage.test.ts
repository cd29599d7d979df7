import { printStageNote, renderStageObstacle } from "#libs/wording";
import type { LedgerState, PlanRecord, RunRecord, Spec, StopRecord, Snapshot } from "#libs/plan";
import { makeLedger, makeStop, sha } from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { request, before as was, fleet, half, headSha, mainSha, more, run, specOf } from "#test/world/pull-request";
import { describe, expect, it } from "vitest";

import { describeChange, type FileChange } from "./judge-change.ts";
import type { PullRequestFacts } from "./pull-request-facts.ts";
import { findOwnStage, judgeStagePart, type StagePart } from "./judge-stage.ts";

const up = makeCampaign({ stages: [makeStage("half", 50), makeStage("most", 75), makeStage("all", 100)] });
/** A commit from before the campaign. */
const earlier: RunRecord = { ...run, commit: sha("earlier") };
const over: RunRecord = { ...run, state: "done" };
const first = "It is the campaign's first run: nothing comes before it.";

interface Question {
  readonly pull?: Partial<PullRequestFacts>;
  readonly text?: string;
  readonly mainText?: string;
  readonly runs?: readonly RunRecord[];
  readonly stops?: readonly StopRecord[];
  readonly plans?: LedgerState["plans"];
  readonly snapshot?: Partial<Snapshot>;
  readonly change?: Partial<FileChange>;
}

function set({
  pull,
  text = more,
  mainText = half,
  runs = [over],
  stops = [],
  plans = {},
  snapshot,
  change: other,
}: Question) {
  const main = withCampaign(specOf(mainSha, mainText), up);
  const spec: Spec = withCampaign(specOf(headSha, text), up);
  const changed = ["rollouts.yml"];
  const merged = {
    kind: "files",
    texts: {},
    campaigns: [],
    changed,
    compiled: { ok: true, findings: [], spec },
  } as const;
  const ledger = makeLedger({
    main: mainSha,
    judged: mainSha,
    plans,
    runs: Object.fromEntries(runs.map((each) => [each.id, each])),
    stops: Object.fromEntries(stops.map((stop) => [stop.id, stop])),
  });
  const asked = request(merged, { main, ledger, snapshot: { ledger, ...snapshot } });
  const question = { ...asked, pull: { ...asked.pull, branch: "meshroll/up/most", ...pull } };
  const change = describeChange(merged, main, question.snapshot);
  if (change === undefined) throw new Error("the file does not parse");
  return { question, change: { ...change, ...other } };
}

/** The lines of the check, and the text after the title of a refusal. */
function render({ note, obstacle }: StagePart) {
  const lines = note === undefined ? [] : [printStageNote(note)];
  if (obstacle === undefined) return { lines };
  const { title, text } = renderStageObstacle(obstacle.obstacle);
  return { lines: [...lines, `${obstacle.state}: ${title}`], text };
}

function tell(each: Question): readonly string[] {
  const { question, change } = set(each);
  return render(judgeStagePart(question, change)).lines;
}

describe("1.5 what meshroll/plan says about the campaign of a pull request", () => {
  const most = `Stage \`most\` of campaign \`up\`. ${first}`;
  const theirs = "Its run belongs to campaign `up` and has the settings of stage `all`.";
  const cases: readonly { readonly name: string; readonly each: Question; readonly want: readonly string[] }[] = [
    { name: "its next stage: no objection", each: {}, want: [most] },
    {
      name: "its next stage while a run on its bucket is open: pending",
      each: { runs: [earlier] },
      want: [most, `pending: the next stage waits for run ${run.id} of ana to finish`],
    },
    {
      name: "its next stage while a run without a campaign on its bucket is open: failure",
      each: { runs: [run] },
      want: [most, expect.stringMatching(/^failure: held by ana: .*changes buckets of campaign up/u) as string],
    },
    { name: "a rollback while a run is open: no objection", each: { runs: [run], text: was }, want: [most] },
    {
      name: "its next stage while a person paused one of its runs: failure",
      each: {
        runs: [{ ...over, campaign: "up", stage: "half" }],
        stops: [makeStop({ id: "s", scope: `run/${run.id}`, who: "cleo", why: "looking" })],
      },
      want: [
        expect.stringMatching(/^Stage `most` of campaign `up`\. Evidence from `half`/u) as string,
        `failure: held by cleo: stage most of up is not proposed: run/${run.id} is paused: looking`,
      ],
    },
    {
      name: "its next stage while a cluster is not seen: no objection",
      each: { snapshot: { clusters: new Map([["one", { ...fleet, fresh: false }]]) } },
      want: [most],
    },
    {
      name: "a stage that main has reached: pending",
      each: { pull: { branch: "meshroll/up/half" } },
      want: [`Stage \`half\` of campaign \`up\`. ${first}`, "pending: main has reached stage half"],
    },
    {
      name: "the last stage, which main has reached: pending",
      each: { pull: { branch: "meshroll/up/all" }, mainText: more },
      want: [`Stage \`all\` of campaign \`up\`. ${first}`, "pending: main has reached stage all"],
    },
    {
      name: "a later stage: pending until the next one is reached",
      each: { pull: { branch: "meshroll/up/all" } },
      want: [`Stage \`all\` of campaign \`up\`. ${first}`, "pending: stage most comes first"],
    },
    {
      name: "a person's change of its bucket: the campaign of its run",
      each: { pull: { branch: "ana/up" } },
      want: [theirs],
    },
    {
      name: "a fork's branch with a stage's name: the campaign of its run",
      each: { pull: { fork: true } },
      want: [theirs],
    },
    {
      name: "main does not parse: the campaign of its run",
      each: { snapshot: { main: { head: sha("bad"), ageMs: 0, contained: true, vanished: [], points: [] } } },
      want: [theirs],
    },
    {
      name: "no bucket changes: nothing",
      each: { pull: { branch: "ana/up" }, change: { buckets: [] } },
      want: [],
    },
    {
      name: "before meshroll init: nothing",
      each: { pull: { branch: "ana/up" }, snapshot: { ledger: undefined } },
      want: [],
    },
  ];
  it.each(cases)("$name", ({ each, want }) => expect(tell(each)).toEqual(want));

  it("names who can end the wait, and by what", () => {
    const { question, change } = set({ runs: [earlier] });
    expect(render(judgeStagePart(question, change)).text).toBe(
      `the next stage waits for run ${run.id} of ana to finish.\n\nOwner: **meshroll**\n\nTo continue: \`meshroll status up\``,
    );
  });
});

describe("10.2 findOwnStage: the next stage, computed from main each time", () => {
  const forged: PlanRecord = {
    head: headSha,
    campaign: "up",
    stage: "most",
    branch: "meshroll/up/most",
    at: "2026-11-19T12:00:00.000Z",
    changes: set({}).change.buckets,
    digest: "",
    list: "",
  };
  const most = more.replace("old: 0\n  new: 100", "old: 25\n  new: 75");
  const find = (each: Question) => {
    const { question, change } = set({ text: most, ...each });
    return findOwnStage(question, change)?.name;
  };

  it("is found if the branch sets exactly what main's campaign says", () => expect(find({})).toBe("most"));

  it.each<readonly [string, Question]>([
    ["on another branch", { pull: { branch: "ana/up" } }],
    ["on the branch of a stage that is reached", { pull: { branch: "meshroll/up/half" } }],
    ["on the branch of a later stage", { pull: { branch: "meshroll/up/all" } }],
    ["of a fork", { pull: { fork: true } }],
    ["that sets more, whatever a record in the ledger says of its head", { text: more, plans: { [headSha]: forged } }],
    ["that changes another path too", { change: { isAlone: false } }],
  ])("is not found %s", (_name, each) => expect(find(each)).toBeUndefined());
});
