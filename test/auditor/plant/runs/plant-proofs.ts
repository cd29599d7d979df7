import type { AuditedRun, AuditedVerdict, Evidence } from "../../evidence/evidence.ts";
import {
  apiKey,
  commit,
  commits,
  file,
  make,
  move,
  type PlantedCases,
  run,
  runId,
  settled,
  stop,
  underSettings,
  web,
  webKey,
} from "../plant.ts";
import { campaign, own, withCampaign } from "./campaign-up.ts";

const webMoved = {
  writes: [move(web, 20, "new")],
  statuses: [settled(web, 30)],
  pods: [{ at: 30, path: web, revisions: ["new"] }],
};
const ended = (at: number, change: Partial<AuditedRun> = {}) =>
  own({ state: "done", endedAt: at, endedAtLatest: at, skipped: [apiKey], list: [webKey], ...change });

/** One run under a bake of 1 h that ends at this time. */
const baked = (at: number, settings = "") =>
  make(webMoved, {
    main: underSettings(settings, withCampaign(campaign("", ", bake: 1h"))),
    ledger: { stops: [], runs: [ended(at)] },
  });

/** A run that ends while `web` still rolls. With `isTurned`, main asks for its old revision again before that. */
function turnedRound(isTurned: boolean): Evidence {
  const back = commit({ sha: "f".repeat(40), at: 22, rollouts: file(0) });
  return make(webMoved, {
    main: withCampaign(campaign(""), isTurned ? [...commits, back] : commits),
    ledger: { stops: [], runs: [ended(29)] },
  });
}

const [next, head] = ["d".repeat(40), "e".repeat(40)];
const nextId = next.slice(0, 12);
const byItself = campaign("", ", autoMerge: { notice: 30s }");

/** Meshroll itself merges the next stage at 100,000; the run before it ended at a time given by the case. */
function merged(
  first: AuditedRun,
  pushedAt: number,
  text = byItself,
  extra: Partial<Evidence> = {},
  share = 50,
): Evidence {
  const stage = commit({
    sha: next,
    at: 100_000,
    author: "meshroll",
    by: "meshroll",
    merged: head,
    rollouts: file(share),
  });
  return make(webMoved, {
    main: withCampaign(text, [...commits, stage]),
    pushes: [{ branch: "meshroll/up/all", after: head, at: pushedAt, atLatest: pushedAt, by: "meshroll" }],
    ledger: { stops: [], runs: [first, run(nextId, { campaign: "up", stage: "all" })] },
    ...extra,
  });
}

const failed: AuditedVerdict = { gate: "errors", verdict: "fail", at: 40_000, atLatest: 40_000 };
const passed: AuditedVerdict = { gate: "errors", verdict: "pass", at: 45_000, atLatest: 45_000 };
const verdicts = (...all: readonly AuditedVerdict[]) => ended(50_000, { verdicts: all });
const gateStop = stop({ scope: `run/${runId}`, cause: "gate", at: 40_001 });

/** Bakes, notices and gates: what a campaign requires before it moves forward. */
export const proofCases: PlantedCases = {
  "a run that is done while a workload rolls that main wants elsewhere by then": {
    evidence: turnedRound(true),
    want: [],
  },
  "a run that is done while its last workload still rolls": { evidence: turnedRound(false), want: ["bakeIsKept"] },
  "a run that is done an hour after its last workload settled": { evidence: baked(3_600_030), want: [] },
  "a run that is done before its bake is over": { evidence: baked(3_600_029), want: ["bakeIsKept"] },
  "a run that is done while a workload rolls in a cluster that main excludes by then": {
    evidence: baked(3_600_029, "clusters: { one: { excluded: true } }"),
    want: [],
  },
  "a stage that merged itself after the run before, and after its notice": {
    evidence: merged(ended(50_000), 60_000),
    want: [],
  },
  "a stage that meshroll merged while the run before was open": {
    evidence: merged(own(), 60_000),
    want: ["stagesInOrder"],
  },
  "a stage that meshroll merged after the run before had ended, which a retry opened again later": {
    evidence: merged(ended(120_000, { earlierEnds: [{ endedAt: 50_000, reopenedAt: 110_000 }] }), 60_000),
    want: [],
  },
  "a stage that meshroll merged while a retry had opened the run before again": {
    evidence: merged(ended(120_000, { earlierEnds: [{ endedAt: 50_000, reopenedAt: 99_999 }] }), 60_000),
    want: ["stagesInOrder"],
  },
  "a stage that merged itself before its notice was over": {
    evidence: merged(ended(50_000), 70_001),
    want: ["noticeIsKept"],
  },
  "a stage that meshroll merged, although it does not merge itself": {
    evidence: merged(ended(50_000), 60_000, campaign("")),
    want: ["noticeIsKept"],
  },
  "a rollback that meshroll merged at once, while the run was open": {
    evidence: merged(own(), 99_999, campaign(""), {}, 0),
    want: [],
  },
  "a stage that meshroll merged after a gate of the run before had failed": {
    evidence: merged(verdicts(failed), 60_000),
    want: ["gatesAreKept", "gatesAreKept"],
  },
  "a gate that failed and then passed": { evidence: merged(verdicts(failed, passed), 60_000), want: [] },
  "a gate that failed, and a person ended its stop": {
    evidence: merged(verdicts(failed), 60_000, byItself, {
      ledger: {
        stops: [{ ...gateStop, resumedAt: 45_000 }],
        runs: [verdicts(failed), run(nextId, { campaign: "up", stage: "all" })],
      },
    }),
    want: [],
  },
  "a gate that only notifies": {
    evidence: merged(
      verdicts(failed),
      60_000,
      campaign("", ", autoMerge: { notice: 30s }, gates: [{ name: errors, onFail: notify }]"),
    ),
    want: [],
  },
};
