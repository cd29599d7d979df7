import type { AuditedRun, AuditedVerdict, Evidence } from "../../evidence/evidence.ts";
import {
  api,
  apiKey,
  commit,
  commits,
  file,
  make,
  makeCluster,
  missing,
  move,
  object,
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

const migrated = {
  writes: [move(web, 20, "new")],
  statuses: [settled(web, 30)],
  pods: [{ at: 30, path: web, revisions: ["new"] }],
};
const ended = (at: number, change: Partial<AuditedRun> = {}) =>
  own({ state: "done", endedAt: at, endedAtLatest: at, skipped: [apiKey], list: [webKey], ...change });

/** One run that ends at a time of the case's, under a bake of 1 h. */
const baked = (at: number, settings = "") =>
  make(migrated, {
    main: underSettings(settings, withCampaign(campaign("", ", bake: 1h"))),
    ledger: { stops: [], runs: [ended(at)] },
  });

/** The same, and `web` lacked pods for a time of the case's; its campaign perhaps says how many may. */
const ailing = (from: number, until: number, at: number) =>
  make(
    { ...migrated, statuses: [settled(web, 30), missing(web, from), settled(web, until)] },
    { main: withCampaign(campaign("", ", bake: 1h")), ledger: { stops: [], runs: [ended(at)] } },
  );
const [hour, minute] = [3_600_000, 60_000];
const halfMayAil = ", gates: [{ name: few, restartHealth: { maxFailureRatio: 0.5 } }]";

/** Two workloads bake, and one of them lacks pods for ten minutes. */
function oneOfTwo(gates = ""): Evidence {
  const statuses = [settled(web, 30), settled(api, 50), missing(web, 20 * minute), settled(web, 30 * minute)];
  const pods = [web, api].map((path) => ({ at: 50, path, revisions: ["new"] }));
  const first = ended(50 + hour, {
    skipped: [],
    list: [webKey, apiKey],
    verdicts: [{ gate: "few", verdict: "pass", at: 60, atLatest: 60 }],
  });
  return make(
    { writes: [move(web, 20, "new"), move(api, 40, "new")], statuses, pods },
    { main: withCampaign(campaign("", `, bake: 1h${gates}`)), ledger: { stops: [], runs: [first] } },
  );
}

/** Meshroll pushes the branch of the next stage, or another one, at a time of the case's; the run before ended at 50,000. */
function proposed(branch: string, at: number, first = ended(50_000)): Evidence {
  const begun = { ...first, startedAt: 15 };
  return make(migrated, {
    main: withCampaign(campaign("")),
    pushes: [{ branch, after: head, at, atLatest: at, by: "meshroll" }],
    ledger: { stops: [], runs: [begun] },
  });
}

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
function finishLate(before: string, change: Partial<AuditedRun> = {}): Evidence {
  const windows = workdays.replace("finishBatch", "finishStage");
  const first = makeCluster({ writes: [move(web, monday("17:00:00"), "new")] });
  const second = makeCluster({ name: "two", before: [object(web)], writes: [move(web, monday(before), "new")] });
  const main = withCampaign(campaign(`  windows: [${windows}]\n`));
  return { ...make({}, { main, ledger: { stops: [], runs: [own(change)] } }), clusters: [first, second] };
}

/** Bakes, notices, gates, windows: what a campaign asks of the way forward. */
export const proofCases: PlantedCases = {
  "a run that began in its window, and goes on in another cluster to its end": {
    evidence: finishLate("15:00:00"),
    want: [],
  },
  "a run whose first wave was opened in its window, and that writes later": {
    evidence: finishLate("17:00:00", { clusters: { two: monday("14:59:00") } }),
    want: [],
  },
  "a run whose first wave was opened when its window was closed": {
    evidence: finishLate("17:00:00", { clusters: { two: monday("16:59:00") } }),
    want: ["calendarIsKept", "calendarIsKept"],
  },
  "a run that began when its window was closed": {
    evidence: finishLate("17:00:00"),
    want: ["calendarIsKept", "calendarIsKept"],
  },
  "a run that is done while a workload rolls that main wants elsewhere by then": {
    evidence: turnedRound(true),
    want: [],
  },
  "a run that is done while its last workload still rolls": { evidence: turnedRound(false), want: ["bakeIsKept"] },
  "a run that is done an hour after its last workload came to rest": { evidence: baked(3_600_030), want: [] },
  "a run that is done before its bake is over": { evidence: baked(3_600_029), want: ["bakeIsKept"] },
  "a run that is done while a workload rolls in a cluster that main excludes by then": {
    evidence: baked(3_600_029, "clusters: { one: { excluded: true } }"),
    want: [],
  },
  "a run that is done after its bake, of which an hour was healthy": {
    evidence: ailing(20 * minute, 30 * minute, 30 + hour + 10 * minute),
    want: [],
  },
  "a run whose bake counted minutes in which its workload lacked pods": {
    evidence: ailing(20 * minute, 30 * minute, 30 + hour),
    want: ["bakeIsKept"],
  },
  "a run whose bake counted to its end while its workload lacked pods": {
    evidence: ailing(20 * minute, 3 * hour, 30 + 2 * hour - 60 * minute),
    want: ["bakeIsKept"],
  },
  "a bake in which pods were missing for less than a reconcile sees": {
    evidence: ailing(20 * minute, 20 * minute + 10_000, 30 + hour),
    want: [],
  },
  "a bake in which as many lacked pods as its gate allows": {
    evidence: oneOfTwo(halfMayAil),
    want: [],
  },
  "the same without such a gate": { evidence: oneOfTwo(), want: ["bakeIsKept"] },
  "a stage that meshroll proposed before the bake of the run before was over": {
    evidence: proposed("meshroll/up/all", 49_999),
    want: ["proposedInOrder"],
  },
  "a stage that meshroll proposed again, under the next number, while the run before was open": {
    evidence: proposed("meshroll/up/all-2", 100_000, own()),
    want: ["proposedInOrder"],
  },
  "a stage that meshroll proposed when the run before had ended": {
    evidence: proposed("meshroll/up/all", 50_000),
    want: [],
  },
  "a rollback that meshroll proposed while the run was open": {
    evidence: proposed(`meshroll/rollback/${runId}`, 49_999),
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
  "a stage that meshroll merged before the run before had ended": {
    evidence: merged(ended(100_001), 60_000),
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
  "a stage that meshroll merged before the first end of the run before": {
    evidence: merged(ended(120_000, { earlierEnds: [{ endedAt: 100_001, reopenedAt: 110_000 }] }), 60_000),
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
  "a move inside the window, in the zone of the window": { evidence: onMonday("08:00:00", workdays), want: [] },
  "a move before the window opens": { evidence: onMonday("07:59:00", workdays), want: ["calendarIsKept"] },
  "a move after the window has closed": { evidence: onMonday("16:01:00", workdays), want: ["calendarIsKept"] },
  "a move in a denying window": { evidence: onMonday("10:00:00", `${workdays}, ${nights}`), want: ["calendarIsKept"] },
  "a move after a denying window": { evidence: onMonday("10:30:00", `${workdays}, ${nights}`), want: [] },
  "a move in a freeze": { evidence: onMonday("09:30:00", workdays, freeze), want: ["calendarIsKept"] },
  "a move after a freeze": { evidence: onMonday("10:00:00", workdays, freeze), want: [] },
};
