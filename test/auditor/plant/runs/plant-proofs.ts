import type { AuditedCommit, AuditedRun, AuditedVerdict, AuditedWrite, Evidence } from "../../evidence/evidence.ts";
import {
  apiKey,
  commit,
  commits,
  file,
  make,
  makeCluster,
  move,
  object,
  type PlantedCases,
  run,
  runId,
  settled,
  stop,
  web,
  webKey,
} from "../plant.ts";

/** A campaign with these fields of its spec, and one stage that sets production to 100. */
const campaign = (spec: string, stage = "") =>
  `metadata: { name: up }\nspec:\n  defaults: { batch: { delayBetweenBatches: 0s } }\n${spec}  stages:\n    - { name: all${stage} }\n`;

const withCampaign = (text: string, all: readonly AuditedCommit[] = commits): readonly AuditedCommit[] =>
  all.map((each) => ({ ...each, campaigns: { "campaigns/up.yml": text } }));

const own = (change: Partial<AuditedRun> = {}) => run(runId, { campaign: "up", stage: "all", ...change });

const waves = "  clusters: { order: [[one], [two]], delayBetweenWaves: 1m }\n";

/** `web` of cluster one moves first, and that of cluster two at a time of the case's. */
function inTwo(
  at: number,
  later: readonly AuditedWrite[] = [],
  change: Partial<AuditedRun> = {},
  settings = "",
  exclude = "",
): Evidence {
  const first = makeCluster({ writes: [move(web, 20, "new"), ...later], statuses: [settled(web, 30)] });
  const second = makeCluster({ name: "two", before: [object(web)], writes: [move(web, at, "new")] });
  const main = withCampaign(campaign(`${waves}${exclude}`)).map((each) => ({
    ...each,
    settings: `${each.settings ?? ""}\n${settings}`,
  }));
  return {
    ...make({}, { main, ledger: { stops: [], runs: [own(change)] } }),
    clusters: [first, second],
  };
}

/** Cluster two moves at this time; later a rollback at once puts back what moved in cluster one, and is lifted. */
function againAfter(at: number): Evidence {
  const evidence = inTwo(at, [move(web, 70_000, "old"), move(web, 80_000, "new")]);
  const to = { revertTo: "0".repeat(40), now: true, cause: "rollback" };
  const rollback = stop({ scope: `run/${runId}`, at: 65_000, resumedAt: 75_000, ...to });
  return { ...evidence, ledger: { stops: [rollback], runs: [own()] } };
}

/** The waves came to main only after both clusters were opened, or stood there from the begin. */
function openedWithout(since: number): Evidence {
  const evidence = inTwo(25, [], { clusters: { one: 12, two: 12 } });
  const [base, merged = base] = commits;
  if (base === undefined || merged === undefined) throw new Error("bug: no commits");
  const without = commits.map((each) => ({ ...each, campaigns: { "campaigns/up.yml": campaign("") } }));
  const withWaves = { ...merged, sha: "9".repeat(40), at: since, campaigns: { "campaigns/up.yml": campaign(waves) } };
  return { ...evidence, main: [...without, withWaves] };
}

/** Main leaves cluster one out, and takes it in again at 14, when nothing has moved yet; cluster two was opened at this time. */
function openedBeside(opened: number): Evidence {
  const evidence = inTwo(15, [], { clusters: { one: 11, two: opened } });
  const out = { sha: "8".repeat(40), at: 12, settings: "clusters: { one: { excluded: true } }" };
  const again = { sha: "9".repeat(40), at: 14 };
  const asMerged = (change: typeof out | typeof again) =>
    evidence.main.slice(-1).map((each) => ({ ...each, ...change }));
  return { ...evidence, main: [...evidence.main, ...asMerged(out), ...asMerged(again)] };
}

/** All in one wave but cluster two, and a third that no order names. */
function withThird(expected: readonly string[]): Evidence {
  const third = makeCluster({ name: "three", before: [object(web)], writes: [move(web, 60_031, "new")] });
  const evidence = inTwo(60_030, [], { expected });
  return { ...evidence, clusters: [...evidence.clusters, third] };
}

const migrated = {
  writes: [move(web, 20, "new")],
  statuses: [settled(web, 30)],
  pods: [{ at: 30, path: web, revisions: ["new"] }],
};
const ended = (at: number, change: Partial<AuditedRun> = {}) =>
  own({ state: "done", endedAt: at, endedAtLatest: at, skipped: [apiKey], list: [webKey], ...change });

/** One run that ends at a time of the case's, under a bake of 1 h. */
const baked = (at: number) =>
  make(migrated, { main: withCampaign(campaign("", ", bake: 1h")), ledger: { stops: [], runs: [ended(at)] } });

/** A run that is done while `web` rolls; main perhaps asks for its old revision again. */
function turnedRound(isTurned: boolean): Evidence {
  const back = commit({ sha: "f".repeat(40), at: 22, rollouts: file(0) });
  return make(migrated, {
    main: withCampaign(campaign(""), isTurned ? [...commits, back] : commits),
    ledger: { stops: [], runs: [ended(29)] },
  });
}

const [next, head] = ["d".repeat(40), "e".repeat(40)];
const nextId = next.slice(0, 12);
const byItself = campaign("", ", autoMerge: { notice: 30s }");

/** Meshroll itself merges the next stage at 100,000; the run before ended at a time of the case's. */
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
  return make(migrated, {
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

/** 2026-01-05 is a Monday; windows stand on the wall clock of Berlin, one hour ahead of UTC. */
const monday = (time: string) => Date.parse(`2026-01-05T${time}Z`);
const workdays = '{ schedule: "0 9 * * 1-4", duration: 8h, timeZone: Europe/Berlin, atEnd: finishBatch }';
const nights = '{ kind: deny, schedule: "30 10 5 1 *", duration: 1h, timeZone: Europe/Berlin }';
const freeze = "{ from: 2026-01-05T10:00:00+01:00, to: 2026-01-05T11:00:00+01:00, reason: peak }";

/** One move at a time of that Monday, by a campaign with these windows and freezes. */
function onMonday(time: string, windows: string, freezes = ""): Evidence {
  const text = campaign(`  windows: [${windows}]\n  freezes: [${freezes}]\n`);
  return make(
    { writes: [move(web, monday(time), "new")] },
    {
      main: withCampaign(text),
      ledger: { stops: [], runs: [own()] },
    },
  );
}

/** Two clusters of one run; the one that comes first in the evidence moves when the window is closed, the other one before. */
function finishLate(before: string): Evidence {
  const windows = workdays.replace("finishBatch", "finishStage");
  const first = makeCluster({ writes: [move(web, monday("17:00:00"), "new")] });
  const second = makeCluster({ name: "two", before: [object(web)], writes: [move(web, monday(before), "new")] });
  const main = withCampaign(campaign(`  windows: [${windows}]\n`));
  return { ...make({}, { main, ledger: { stops: [], runs: [own()] } }), clusters: [first, second] };
}

/** Waves, bakes, notices, gates, windows: what a campaign asks of the way forward. */
export const proofCases: PlantedCases = {
  "a run that began in its window, and goes on in another cluster to its end": {
    evidence: finishLate("15:00:00"),
    want: [],
  },
  "a run that began when its window was closed": {
    evidence: finishLate("17:00:00"),
    want: ["calendarIsKept", "calendarIsKept"],
  },
  "the next wave a minute after the one before": { evidence: inTwo(60_030), want: [] },
  "the next wave before its delay is over": { evidence: inTwo(60_029), want: ["wavesInOrder"] },
  "the next wave while the one before still rolls": { evidence: inTwo(25), want: ["wavesInOrder"] },
  "the next wave before the one before has begun": { evidence: inTwo(15), want: ["wavesInOrder"] },
  "a workload of the first wave again, after a rollback at once put it back": {
    evidence: againAfter(60_030),
    want: [],
  },
  "the same where the next wave had begun too soon the first time": {
    evidence: againAfter(40),
    want: ["wavesInOrder"],
  },
  "the next wave while main leaves the one before skipped": {
    evidence: inTwo(15, [], {}, "clusters: { one: { excluded: true } }"),
    want: [],
  },
  "the next wave while main leaves another cluster skipped": {
    evidence: inTwo(15, [], {}, "clusters: { two: { excluded: true } }"),
    want: ["wavesInOrder"],
  },
  "a wave that was opened while main left the one before skipped, and moves after main took it in again": {
    evidence: openedBeside(13),
    want: [],
  },
  "a wave that was opened when main had taken the one before in again": {
    evidence: openedBeside(15),
    want: ["wavesInOrder"],
  },
  "a cluster that was opened before main had waves": { evidence: openedWithout(13), want: [] },
  "a cluster that was opened when main had waves already": { evidence: openedWithout(11), want: ["wavesInOrder"] },
  "the next wave while the campaign leaves a namespace of the one before out": {
    evidence: inTwo(15, [], {}, "", '  exclude: [{ pattern: "sh.p", until: 1970-01-01T00:00:16Z }]\n'),
    want: [],
  },
  "the next wave after it let that namespace in again": {
    evidence: inTwo(15, [], {}, "", '  exclude: [{ pattern: "sh.p", until: 1969-01-01T00:00:00Z }]\n'),
    want: ["wavesInOrder"],
  },
  "a cluster that came when the run had begun goes with the last wave that was known": {
    evidence: withThird(["one", "two"]),
    want: [],
  },
  "a cluster that the order does not name, and that was there, comes after all others": {
    evidence: withThird(["one", "two", "three"]),
    want: ["wavesInOrder"],
  },
  "a run that is done while a workload rolls that main wants elsewhere by then": {
    evidence: turnedRound(true),
    want: [],
  },
  "a run that is done while its last workload still rolls": { evidence: turnedRound(false), want: ["bakeIsKept"] },
  "a run that is done an hour after its last workload came to rest": { evidence: baked(3_600_030), want: [] },
  "a run that is done before its bake is over": { evidence: baked(3_600_029), want: ["bakeIsKept"] },
  "a stage that merged itself after the run before, and after its notice": {
    evidence: merged(ended(50_000), 60_000),
    want: [],
  },
  "a stage that meshroll merged while the run before was open": {
    evidence: merged(own(), 60_000),
    want: ["stagesInOrder"],
  },
  "a stage that meshroll merged before the run before had ended": {
    evidence: merged(ended(100_001), 60_000),
    want: ["stagesInOrder"],
  },
  "a stage that merged itself before its notice was over": {
    evidence: merged(ended(50_000), 70_001),
    want: ["noticeIsKept"],
  },
  "a stage that meshroll merged, and that only people merge": {
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
  "a gate that failed, and a person lifted its stop": {
    evidence: merged(verdicts(failed), 60_000, byItself, {
      ledger: {
        stops: [{ ...gateStop, resumedAt: 45_000 }],
        runs: [verdicts(failed), run(nextId, { campaign: "up", stage: "all" })],
      },
    }),
    want: [],
  },
  "a gate that only tells": {
    evidence: merged(
      verdicts(failed),
      60_000,
      campaign("", ", autoMerge: { notice: 30s }, gates: [{ name: errors, onFail: notify }]"),
    ),
    want: [],
  },
  "a move inside the window, in the zone of the window": { evidence: onMonday("08:00:00", workdays), want: [] },
  "a move before the window opens": { evidence: onMonday("07:59:00", workdays), want: ["calendarIsKept"] },
  "a move after the window has closed": { evidence: onMonday("16:01:00", workdays), want: ["calendarIsKept"] },
  "a move in a denying window": { evidence: onMonday("10:00:00", `${workdays}, ${nights}`), want: ["calendarIsKept"] },
  "a move after a denying window": { evidence: onMonday("10:30:00", `${workdays}, ${nights}`), want: [] },
  "a move in a freeze": { evidence: onMonday("09:30:00", workdays, freeze), want: ["calendarIsKept"] },
  "a move after a freeze": { evidence: onMonday("10:00:00", workdays, freeze), want: [] },
};
