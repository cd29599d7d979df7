import type { Workload } from "#libs/fleet";
import { printWorkloadReason, renderWorkloadReason } from "#libs/wording";
import { makeCluster, makeNamespace, makeRun, makeSpec, makeWorkload, noon, sha } from "#test/world/build";
import { makeCampaign, withCampaign } from "#test/world/campaigns/campaign";
import { describe, expect, it } from "vitest";

import { findLeftOut, isLeftBehind } from "./judge-campaign.ts";
import type { Ownership } from "./ownership.ts";
import type { WorkloadState } from "./workload-state.ts";

const run = makeRun(sha("head"), sha("base"), { campaign: "up", stage: "all" });
const exclude = (reason: string, until?: number) => ({
  pattern: "shop",
  matches: (name: string) => name === "shop",
  reason,
  ...(until === undefined ? {} : { until }),
});

interface Question {
  readonly workload?: Workload;
  readonly campaign?: Parameters<typeof makeCampaign>[0];
  readonly owned?: Partial<Ownership>;
  readonly tags?: Readonly<Record<string, string>>;
}

/** Why the campaign `up`, which brings `new` for `old`, leaves a workload alone. */
function judge({ workload = makeWorkload("shop/a"), campaign = {}, owned = {}, tags = {} }: Question) {
  const revisions = ["old", "new", "older", "next"].map((name) => ({ name, webhook: true, istiod: "ready" as const }));
  const cluster = makeCluster("one", [workload], { facts: { revisions, tags } });
  const inventory = cluster.namespaces.get(workload.namespace);
  if (inventory === undefined) throw new Error("no namespace");
  const head = withCampaign(makeSpec(sha("head"), 100), makeCampaign(campaign));
  return findLeftOut({ cluster, head, now: noon, inventory, workload, owned: { desired: "new", run, ...owned } });
}

/** Half of its pods run another revision than its label says. */
const mixed = (...revisions: readonly string[]): Workload => ({
  ...makeWorkload("shop/a"),
  pods: revisions.map((revision) => ({ revision, count: 1, ready: 1 })),
});

describe("1.5 which workloads a campaign leaves alone", () => {
  const cases: readonly (Question & { readonly name: string; readonly want: string | undefined })[] = [
    { name: "not one on a revision that it replaces", want: undefined },
    {
      name: "one on another revision",
      workload: makeWorkload("shop/a", {}, "older"),
      want: "OtherRevision: runs older",
    },
    {
      name: "one without pods, with another revision in its label",
      workload: makeWorkload("shop/a", { replicas: 0, pods: [] }, "older"),
      want: "OtherRevision: runs older",
    },
    {
      name: "one whose pods run another revision than its label says",
      workload: mixed("older"),
      want: "OtherRevision: runs older",
    },
    {
      name: "one that it excludes for good",
      campaign: { exclude: [exclude("audit")] },
      want: "Excluded: audit (campaigns/up.yml)",
    },
    {
      name: "one that it excludes until a date",
      campaign: { exclude: [exclude("audit", noon + 1)] },
      want: `Excluded: audit (campaigns/up.yml), until ${new Date(noon + 1).toISOString()}`,
    },
    {
      name: "not one that is rolled back",
      workload: makeWorkload("shop/a", {}, "older"),
      campaign: { exclude: [exclude("audit")] },
      owned: { rollbackSince: "2026-11-19T12:00:00.000Z" },
      want: undefined,
    },
  ];
  it.each(cases)("$name", ({ want, name: _name, ...question }) => {
    const state = judge(question);
    const words =
      state?.kind === "skipped" ? printWorkloadReason(renderWorkloadReason(state.reason)) : (state?.kind ?? "none");
    expect(words).toContain(want ?? "none");
  });

  it("the reason names the revisions that it replaces", () =>
    expect(
      judge({ workload: makeWorkload("shop/a", {}, "older"), campaign: { replaces: ["old", "stable"] } }),
    ).toMatchObject({
      reason: { code: "OtherRevision", revision: "older", file: "campaigns/up.yml", replaces: ["old", "stable"] },
    }));
});

describe("1.3 workloads left over by an earlier run that this run does not count again", () => {
  const migrated: WorkloadState = { kind: "migrated" };
  const skipped = { kind: "skipped", reason: { code: "UnhealthyBefore" } } as const;
  const touched = { "meshroll.dev/run": `${run.id} new` };
  const elsewhere = { "meshroll.dev/run": "aaaaaaaaaaaa new" };
  const reached = { clusters: { one: { openedAt: "2026-01-01T00:00:00.000Z", uid: "u", unhealthyBefore: [] } } };
  const cases: readonly {
    readonly name: string;
    readonly state: WorkloadState;
    readonly own?: Readonly<Record<string, string>>;
    readonly namespace?: Readonly<Record<string, string>>;
    readonly isOwn?: boolean;
    readonly leftBy?: Ownership["leftBy"];
    readonly want: boolean;
  }[] = [
    { name: "a migrated workload", state: migrated, want: true },
    { name: "a skipped workload", state: skipped, want: true },
    {
      name: "not a workload that was skipped only because its owner was waited for",
      state: { ...skipped, waited: true },
      want: false,
    },
    { name: "not a workload that the run itself wrote", state: migrated, own: touched, want: false },
    { name: "a workload that another run wrote", state: migrated, own: elsewhere, namespace: elsewhere, want: true },
    { name: "not a workload that the run itself changes", state: migrated, isOwn: true, want: false },
    {
      name: "not a workload in a cluster that the earlier run never reached",
      state: skipped,
      leftBy: { clusters: {} },
      want: false,
    },
  ];
  it.each(cases)("$name", ({ state, own = {}, namespace = {}, isOwn = false, leftBy = reached, want }) => {
    const workload = { ...makeWorkload("shop/a"), annotations: own };
    const inventory = makeNamespace("shop", [workload]);
    const marked = { ...inventory, namespace: { ...inventory.namespace, annotations: namespace } };
    const owned: Ownership = isOwn ? { desired: "new", run } : { desired: "new", run, isLeftover: true, leftBy };
    expect(isLeftBehind(owned, state, { cluster: "one", inventory: marked, workload })).toBe(want);
  });
});
