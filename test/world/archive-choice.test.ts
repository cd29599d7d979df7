import { expect, test } from "vitest";

import { makeLedger, makeRun, makeSpec, makeStop, sha } from "./build.ts";
import { makeCampaign, withCampaign } from "./campaigns/campaign.ts";
import { type LedgerState, listEnded, type RunRecord, type StopRecord } from "#libs/plan";

const head = withCampaign(makeSpec(sha("head"), 0), makeCampaign());
const opened = { openedAt: "2026-11-19T12:00:00.000Z", unhealthyBefore: [] };

/** Runs in this order, oldest first; each is done and came to no cluster, unless its entry says otherwise. */
function makeRuns(changes: readonly Partial<RunRecord>[]): LedgerState["runs"] {
  return Object.fromEntries(
    changes.map((change, index) => {
      const run = makeRun(sha(`r${index + 1}`), sha("base"), {
        state: "done",
        clusters: {},
        order: index + 1,
        ...change,
      });
      return [`r${index + 1}`, { ...run, id: `r${index + 1}` }];
    }),
  );
}

const limits = { newestRuns: 1, runsOfCampaign: 1, fewest: 1, most: 100 };
const resume = { at: "2026-11-19T13:00:00.000Z", who: "ben", why: "looked" };

const cases: readonly {
  readonly name: string;
  readonly runs: readonly Partial<RunRecord>[];
  readonly stops?: readonly (Partial<StopRecord> & Pick<StopRecord, "id" | "scope">)[];
  readonly want: readonly string[];
}[] = [
  { name: "all ended runs but the newest are archived", runs: [{}, {}, {}], want: ["r1", "r2"] },
  { name: "an open run stays live, whatever its age", runs: [{ state: "open" }, {}, {}], want: ["r2"] },
  { name: "a run whose commit vanished is archived, even the newest", runs: [{}, { state: "gone" }], want: ["r2"] },
  {
    name: "a rollback in force keeps its run live, an ended one does not",
    runs: [{}, {}, {}],
    stops: [
      { id: "s1", scope: "run/r1", revertTo: sha("base"), now: true },
      { id: "s2", scope: "run/r2", revertTo: sha("base"), resume },
    ],
    want: ["r2", "s2"],
  },
  {
    name: "an unfinished campaign keeps the newest run of each stage live",
    runs: [
      { campaign: "up", stage: "half" },
      { campaign: "up", stage: "half" },
      { campaign: "over", stage: "half" },
      { campaign: "up", stage: "all" },
      {},
    ],
    want: ["r1", "r3"],
  },
  {
    name: "the newest run that came to a cluster stays live, because a cluster that is away had it last",
    runs: [{ clusters: { away: opened } }, { clusters: { one: opened } }, { clusters: { one: opened } }, {}],
    want: ["r2"],
  },
  {
    name: "ended stops are archived, except those of a live run, whose accepted failures still count",
    runs: [{}, { state: "open" }, {}],
    stops: [
      { id: "s1", scope: "run/r1", resume },
      { id: "s2", scope: "run/r2", resume },
      { id: "s3", scope: "all", resume },
      { id: "s4", scope: "all" },
    ],
    want: ["r1", "s1", "s3"],
  },
];

test.each(cases)("$name", ({ runs, stops = [], want }) => {
  const ledger = makeLedger({
    runs: makeRuns(runs),
    stops: Object.fromEntries(stops.map((stop) => [stop.id, makeStop(stop)])),
  });

  const ended = listEnded(ledger, head, limits);

  expect([...ended.runs, ...ended.stops].map(({ id }) => id)).toEqual(want);
});

test("lists of campaigns that main no longer has are removed, unless an open run carries one out", () => {
  const plan = { stage: "half", branch: "b", at: resume.at, changes: [], digest: "d", list: "" };
  const plans = {
    a: { ...plan, head: "a", campaign: "up" },
    b: { ...plan, head: "b", campaign: "over" },
    c: { ...plan, head: "c", campaign: "over" },
  };
  const ledger = makeLedger({ plans, runs: makeRuns([{ state: "open", list: "c" }]) });

  expect(listEnded(ledger, head, limits).plans.map((each) => each.head)).toEqual(["b"]);
});
