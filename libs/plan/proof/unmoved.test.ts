import { arrived, makeCluster, makeLedger, makeRun, makeSpec, makeWorkload, makeWorld, sha } from "#test/world/build";
import { makeCampaign, makeStage } from "#test/world/campaign";
import type { Workload } from "#libs/fleet";
import { expect, test } from "vitest";

import type { ClusterWorld, RunRecord, World } from "../index.ts";
import { surveyFleet } from "../judge-fleet.ts";
import { findUnprovenEnd } from "../find-unproven.ts";

const [base, head] = [sha("base"), sha("head")];
const changes = [{ pattern: "production", from: "a", to: "b", direction: "forward" as const }];

interface Case {
  readonly name: string;
  /** So many arrived, so many stand where they stood, so many carry a failure of the run. */
  readonly there?: number;
  readonly unmoved?: number;
  readonly run?: Partial<RunRecord>;
  readonly aside?: readonly string[];
  readonly exclude?: boolean;
  /** A second cluster with as many workloads that stand where they stood, and when it was claimed (s); the run wrote at `wrote` (s). */
  readonly late?: { readonly unmoved: number; readonly claimed?: number };
  readonly wrote?: number;
  readonly want: string | undefined;
}

/** The servers' clocks now, s. */
const serverNow = 100_000;

function makeTwo(one: readonly Workload[], late: Case["late"]): readonly ClusterWorld[] {
  const clock = { serverNow: serverNow * 1000 };
  const first = makeCluster("one", one, { ...clock, facts: { claimedAt: 1000 } });
  if (late === undefined) return [first];
  const { unmoved, claimed } = late;
  const workloads = Array.from({ length: unmoved }, (_, at) => makeWorkload(`rest-${at}/web`));
  const facts = claimed === undefined ? {} : { claimedAt: claimed * 1000 };
  return [first, makeCluster("two", workloads, { ...clock, facts })];
}

function build(each: Case): readonly [World, RunRecord] {
  const { there = 0, unmoved = 0, run, aside = [], exclude = false, wrote, late } = each;
  const times = wrote === undefined ? {} : { times: { written: wrote * 1000 } };
  const workloads = [
    ...Array.from({ length: there }, (_, at) => {
      return { ...arrived(makeWorkload(`there-${at}/web`), "new", head.slice(0, 12)), ...times };
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
    [head, { ...makeSpec(head, 100, { asideClusters: aside }), campaigns }],
  ]);
  const ledger = makeLedger({ main: head, judged: head, runs: { [record.id]: record } });
  const clusters = new Map(makeTwo(workloads, late).map((cluster) => [cluster.name, cluster]));
  return [makeWorld({ specs, ledger, clusters }), record];
}

const cases: readonly Case[] = [
  { name: "all of it moved", there: 9, want: undefined },
  { name: "nothing of it moved", unmoved: 3, want: "StageUnproven" },
  { name: "one of ten came late", there: 9, unmoved: 1, want: undefined },
  { name: "two of ten did not move", there: 8, unmoved: 2, want: "StageUnproven" },
  { name: "it is called empty, and somebody has to move", unmoved: 1, run: { state: "empty" }, want: "StageUnproven" },
  {
    name: "a cluster was first served after the run's last write",
    there: 3,
    wrote: 50_000,
    late: { unmoved: 3, claimed: 50_100 },
    want: undefined,
  },
  {
    name: "a cluster was served before the run's last write",
    there: 3,
    wrote: 50_000,
    late: { unmoved: 3, claimed: 49_000 },
    want: "StageUnproven",
  },
  {
    name: "a cluster was first served within the clocks' difference of the run's last write",
    there: 3,
    wrote: 50_000,
    late: { unmoved: 3, claimed: 50_030 },
    want: "StageUnproven",
  },
  {
    name: "a cluster does not tell since when it is served",
    there: 3,
    wrote: 50_000,
    late: { unmoved: 3 },
    want: "StageUnproven",
  },
  {
    name: "a late cluster, and no object tells of a write",
    there: 3,
    late: { unmoved: 3, claimed: 99_000 },
    want: "StageUnproven",
  },
  {
    name: "a late cluster, and the run left another one",
    there: 3,
    unmoved: 3,
    wrote: 50_000,
    late: { unmoved: 3, claimed: 60_000 },
    want: "StageUnproven",
  },
  { name: "it is open", unmoved: 3, run: { state: "open" }, want: undefined },
  { name: "its commit vanished", unmoved: 3, run: { state: "gone" }, want: undefined },
  { name: "main excludes whom it left", unmoved: 3, exclude: true, want: undefined },
  { name: "main leaves the cluster aside", unmoved: 3, aside: ["one"], want: undefined },
  {
    name: "the ledger names whom it left",
    unmoved: 1,
    run: {
      outcome: { arrived: 0, aside: [{ cluster: "one", workload: "rest-0/Deployment/web", reason: "x" }], seen: [] },
    },
    want: "StageUnproven",
  },
  {
    name: "it went back",
    unmoved: 3,
    run: { changes: changes.map((each) => ({ ...each, direction: "return" })) },
    want: undefined,
  },
];

test.each(cases)("a run that is over by the ledger is held against the objects: $name", (each) => {
  const [world, run] = build(each);
  const { ledger, specs } = world;
  const spec = specs.get(head);
  if (ledger === undefined || spec === undefined) throw new Error("the world has both");
  const reason = findUnprovenEnd({ world, ledger, head: spec, survey: surveyFleet(world, spec) }, run);
  expect(reason?.code).toBe(each.want);
});
