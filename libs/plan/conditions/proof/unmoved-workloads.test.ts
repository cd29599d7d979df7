import {
  makeMigrated,
  makeCluster,
  makeLedger,
  makeRun,
  makeSpec,
  makeWorkload,
  makeSnapshot,
  sha,
} from "#test/world/build";
import { makeCampaign, makeStage } from "#test/world/campaigns/campaign";
import type { Workload } from "#libs/fleet";
import { writeText } from "#libs/wording";
import { expect, test } from "vitest";

import type { ClusterSnapshot, RunRecord, Snapshot } from "../../index.ts";
import { evaluateFleet } from "../../index/evaluate-fleet.ts";
import { findUnprovenEnd } from "./find-unproven.ts";

const [base, head] = [sha("base"), sha("head")];
const changes = [{ pattern: "production", from: "a", to: "b", direction: "forward" as const }];

interface Case {
  readonly name: string;
  /** So many arrived, so many stand where they stood, so many carry a failure of the run. */
  readonly migrated?: number;
  readonly unmoved?: number;
  readonly run?: Partial<RunRecord>;
  readonly skipped?: readonly string[];
  readonly exclude?: boolean;
  /** A second cluster with as many workloads that stand where they stood, and when it was claimed (s); the run wrote at `wrote` (s). */
  readonly late?: { readonly unmoved: number; readonly claimed?: number };
  readonly wrote?: number;
  readonly want: string | undefined;
}

/** The servers' clocks now, s. */
const serverNow = 100_000;

function makeTwo(one: readonly Workload[], late: Case["late"]): readonly ClusterSnapshot[] {
  const clock = { serverNow: serverNow * 1000 };
  const first = makeCluster("one", one, { ...clock, facts: { claimedAt: 1000 } });
  if (late === undefined) return [first];
  const { unmoved, claimed } = late;
  const workloads = Array.from({ length: unmoved }, (_, at) => makeWorkload(`rest-${at}/web`));
  const facts = claimed === undefined ? {} : { claimedAt: claimed * 1000 };
  return [first, makeCluster("two", workloads, { ...clock, facts })];
}

function build(each: Case): readonly [Snapshot, RunRecord] {
  const { migrated = 0, unmoved = 0, run, skipped = [], exclude = false, wrote, late } = each;
  const times = wrote === undefined ? {} : { times: { written: wrote * 1000 } };
  const workloads = [
    ...Array.from({ length: migrated }, (_, at) => {
      return { ...makeMigrated(makeWorkload(`there-${at}/web`), "new", head.slice(0, 12)), ...times };
    }),
    ...Array.from({ length: unmoved }, (_, at) => makeWorkload(`rest-${at}/web`)),
  ];
  const own = { pattern: ".*", matches: () => true, reason: "later" };
  const campaign = makeCampaign({
    file: "campaigns/up.yml",
    stages: [makeStage("half", 50)],
    exclude: exclude ? [own] : [],
  });
  const campaigns = new Map([[campaign.name, campaign]]);
  const record = makeRun(head, base, { state: "done", changes, campaign: campaign.name, stage: "half", ...run });
  const specs = new Map([
    [base, makeSpec(base, 0)],
    [head, { ...makeSpec(head, 100, { excludedClusters: skipped }), campaigns }],
  ]);
  const ledger = makeLedger({ main: head, judged: head, runs: { [record.id]: record } });
  const clusters = new Map(makeTwo(workloads, late).map((cluster) => [cluster.name, cluster]));
  return [makeSnapshot({ specs, ledger, clusters }), record];
}

const cases: readonly Case[] = [
  { name: "all of it moved", migrated: 9, want: undefined },
  { name: "nothing of it moved", unmoved: 3, want: "StageUnproven" },
  { name: "one of ten came late", migrated: 9, unmoved: 1, want: undefined },
  { name: "two of ten did not move", migrated: 8, unmoved: 2, want: "StageUnproven" },
  {
    name: "it is called empty, and a workload has to move",
    unmoved: 1,
    run: { state: "empty" },
    want: "StageUnproven",
  },
  {
    name: "a cluster was first served after the run's last write",
    migrated: 3,
    wrote: 50_000,
    late: { unmoved: 3, claimed: 50_100 },
    want: undefined,
  },
  {
    name: "a cluster was served before the run's last write",
    migrated: 3,
    wrote: 50_000,
    late: { unmoved: 3, claimed: 49_000 },
    want: "StageUnproven",
  },
  {
    name: "a cluster was first served within the clocks' difference of the run's last write",
    migrated: 3,
    wrote: 50_000,
    late: { unmoved: 3, claimed: 50_030 },
    want: "StageUnproven",
  },
  {
    name: "a cluster does not report since when it is served",
    migrated: 3,
    wrote: 50_000,
    late: { unmoved: 3 },
    want: "StageUnproven",
  },
  {
    name: "a late cluster, and no object reports a write",
    migrated: 3,
    late: { unmoved: 3, claimed: 99_000 },
    want: "StageUnproven",
  },
  {
    name: "a late cluster, and the run left another one",
    migrated: 3,
    unmoved: 3,
    wrote: 50_000,
    late: { unmoved: 3, claimed: 60_000 },
    want: "StageUnproven",
  },
  { name: "it is open", unmoved: 3, run: { state: "open" }, want: undefined },
  { name: "its commit vanished", unmoved: 3, run: { state: "gone" }, want: undefined },
  { name: "main excludes whom it left", unmoved: 3, exclude: true, want: undefined },
  { name: "main leaves the cluster skipped", unmoved: 3, skipped: ["one"], want: undefined },
  {
    name: "the ledger names whom it left",
    unmoved: 1,
    run: {
      outcome: {
        migrated: 0,
        skipped: [
          { cluster: "one", workload: "rest-0/Deployment/web", code: "BudgetAllowsNothing", message: writeText("x") },
        ],
        seen: [],
      },
    },
    want: "StageUnproven",
  },
  {
    name: "it was rolled back",
    unmoved: 3,
    run: { changes: changes.map((each) => ({ ...each, direction: "rollback" })) },
    want: undefined,
  },
];

test.each(cases)("a run that is over by the ledger is held against the objects: $name", (each) => {
  const [snapshot, run] = build(each);
  const { ledger, specs } = snapshot;
  const spec = specs.get(head);
  if (ledger === undefined || spec === undefined) throw new Error("the snapshot has both");
  const reason = findUnprovenEnd({ snapshot, ledger, head: spec, evaluation: evaluateFleet(snapshot, spec) }, run);
  expect(reason?.code).toBe(each.want);
});
