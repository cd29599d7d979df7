import { setTimeout as sleep } from "node:timers/promises";

import { builtInSettings, parseCampaign } from "#libs/campaign";
import { judgePullRequest, type PullRequestQuestion, type Spec, type Snapshot } from "#libs/plan";
import { renderVerdict } from "#libs/wording";
import { approve, request, before, half, mainSha, more, specOf } from "#test/world/pull-request";
import { makeCluster, makeStop, makeWorkload } from "#test/world/build";
import { createInProcessJudge } from "#test/flow/parts/in-process-judge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createChildJudge } from "../../../services/planner/pull-requests/judging/child-judge.ts";
import { digest, mergeFiles } from "../../../services/planner/pull-requests/judging/answer-question.ts";
import type {
  JudgeQuestion,
  PullRequestJudge,
  ReadPull,
} from "../../../services/planner/pull-requests/judging/port.ts";

const campaignText = (exclude: string): string =>
  [
    "apiVersion: meshroll.dev/v1\nkind: Campaign\nmetadata: { name: up }\nspec:\n  target: new\n  replaces: [old]",
    `  exclude: [{ pattern: "${exclude}", reason: audit }]\n  stages:\n    - { name: all, set: { production: 100 } }\n`,
  ].join("\n");

function readOf(rollouts: string, campaigns: Readonly<Record<string, string>> = {}): ReadPull {
  const changed = ["rollouts.yml", ...Object.keys(campaigns)].toSorted();
  return { kind: "files", texts: { rollouts, campaigns, refused: [] }, campaigns: Object.keys(campaigns), changed };
}

/**
 * Main with an unfinished campaign that excludes by a pattern. Its compiled form is a function, which cannot be sent to another
 * process.
 */
function withCampaign(): Spec {
  const parsed = parseCampaign(campaignText("[ab]"), "campaigns/up.yml", builtInSettings);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings));
  return { ...specOf(mainSha, half), campaigns: new Map([["up", parsed.value]]) };
}

const snapshots = new Map<string, PullRequestQuestion>(
  Object.entries({
    plain: request({ kind: "untouched" }),
    approved: request({ kind: "untouched" }, { reviews: [approve("ben")] }),
    held: request({ kind: "untouched" }, { stops: [makeStop({ id: "x", scope: "all", why: "freeze" })] }),
    campaign: request({ kind: "untouched" }, { main: withCampaign() }),
    unseen: request({ kind: "untouched" }, { snapshot: { clusters: new Map() } }),
  }),
);

function take(name: string): { readonly snapshot: Snapshot; readonly question: Omit<JudgeQuestion, "read"> } {
  const found = snapshots.get(name);
  if (found === undefined) throw new Error(`no snapshot ${name}`);
  const { snapshot, merged: _merged, digest: _digest, ...question } = found;
  return { snapshot, question: { ...question, earlier: [] } };
}

const reads: Readonly<Record<string, ReadPull>> = {
  nothing: { kind: "untouched" },
  conflict: { kind: "conflict", paths: ["rollouts.yml"] },
  forward: readOf(more),
  back: readOf(before),
  broken: readOf("production:\n  old: 50\n  new: 60\n"),
  campaigns: readOf(more, { "campaigns/up.yml": campaignText("a") }),
  unparsed: readOf(half, { "campaigns/up.yml": "hello" }),
};

const clock = { sleepReal: async (ms: number, signal?: AbortSignal) => sleep(ms, undefined, { signal }) };

/** What every judge answers: the same as the pure judge, in whichever process it runs and whatever was asked before. */
describe.each([
  { name: "in this process", make: createInProcessJudge },
  { name: "in a process of its own", make: () => createChildJudge({ clock }) },
])("a judge $name judges pull requests", ({ make }) => {
  let judge: PullRequestJudge;
  beforeAll(() => {
    judge = make();
  });
  afterAll(async () => judge.close());

  it("as the pure judge does, in each snapshot and after a change back", async () => {
    const rounds = [...snapshots.keys(), ...[...snapshots.keys()].toReversed()];
    for (const of of rounds) {
      for (const [title, read] of Object.entries(reads)) {
        const { snapshot, question } = take(of);
        const answer = await judge.judge(snapshot, { ...question, read });
        if (answer.kind !== "judged") throw new Error(`${of}, ${title}: ${answer.why}`);
        expect([of, title, answer.verdict]).toEqual([of, title, judgeHere(snapshot, question, read)]);
      }
    }
  });

  it("by the newest fleet, with what was added, changed and removed since the last question", async () => {
    const { snapshot, question } = take("plain");
    const fleets = [["a", "b"], ["a", "b", "c"], ["c"], ["a", "c", "d"]];
    for (const names of fleets) {
      const cluster = makeCluster(
        "one",
        names.map((each) => makeWorkload(`${each}/web`, { replicas: names.length })),
      );
      const now = { ...snapshot, clusters: new Map([["one", cluster]]) };
      const answer = await judge.judge(now, { ...question, read: readOf(more) });
      if (answer.kind !== "judged") throw new Error(answer.why);
      expect(answer.verdict).toEqual(judgeHere(now, question, readOf(more)));
    }
  });

  it("files that are too large to read are refused with the place", async () => {
    const { snapshot, question } = take("plain");
    const finding = {
      code: "MR1015",
      severity: "error",
      file: "campaigns",
      line: 1,
      column: 1,
      message: "too many",
    } as const;
    const read: ReadPull = {
      kind: "files",
      texts: { rollouts: more, campaigns: {}, refused: [finding] },
      campaigns: [],
      changed: ["campaigns"],
    };
    const answer = await judge.judge(snapshot, { ...question, read });
    expect(answer.kind === "judged" && [answer.verdict.plan.state, answer.verdict.plan.title]).toEqual([
      "failure",
      "campaigns:1:1 error[MR1015]: too many",
    ]);
  });
});

function judgeHere(snapshot: Snapshot, question: Omit<JudgeQuestion, "read">, read: ReadPull) {
  const merged = mergeFiles(question.pull.headSha, read);
  return renderVerdict(judgePullRequest({ ...question, earlier: [], snapshot, digest, merged }));
}
