import { printRisk } from "#libs/wording";
import { compileSpec, type Spec } from "#libs/plan";
import { makeCluster, makeWorkload, noon, sha } from "#test/world/build";
import { makeCampaign, withCampaign } from "#test/world/campaigns/campaign";
import { describe, expect, test } from "vitest";

import { proposeMoves } from "./proposal.ts";

function specOf(text: string): Spec {
  const compiled = compileSpec(sha("x"), text, undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

const all = (revision: string) => specOf(`production: { ${revision}: 100 }\n`);
const sick = makeWorkload("shop/sick", { available: 0, pods: [{ revision: "old", count: 2, ready: 0 }] });
const plain = { labels: {}, annotations: {}, hostNetwork: false };
const cluster = makeCluster("one", [
  makeWorkload("shop/a"),
  makeWorkload("shop/alone", { replicas: 1 }),
  makeWorkload("shop/guarded", { disruptionsAllowed: 0 }),
  sick,
  makeWorkload("shop/out", { annotations: { "meshroll.dev/opt-out": "true" } }),
  makeWorkload("shop/migrated", {}, "new"),
  makeWorkload("plain/web", { template: plain, pods: [{ count: 1, ready: 1 }] }),
]);

describe("what a change of the file would do", () => {
  const proposal = proposeMoves(all("old"), all("new"), [cluster], noon);
  const [move] = proposal.moves;

  test("namespaces whose answer changes, with each managed workload", () => {
    expect([move?.namespace, move?.from, move?.to, proposal.namespaces]).toEqual(["shop", "old", "new", 1]);
    expect(move?.workloads.map(({ workload }) => workload)).toHaveLength(6);
  });

  test("migrated workloads, skipped ones, and what owners may notice", () => {
    const told = Object.fromEntries(
      (move?.workloads ?? []).map(({ workload, isMigrated, skipped, risks }) => [
        workload.split("/")[2],
        isMigrated ? "migrated" : (skipped ?? risks.map(printRisk).join()),
      ]),
    );
    expect(told).toEqual({
      a: "",
      alone: "1 replica: its restart may be noticed",
      guarded: expect.stringContaining("its PodDisruptionBudget allows no disruption: it waits"),
      sick: "unhealthy already: tried at the end",
      out: { message: "the workload has meshroll.dev/opt-out" },
      migrated: "migrated",
    });
  });
});

describe("what the owner of a workload may notice", () => {
  const tag = { labels: { "istio.io/rev": "stable" }, annotations: {}, hostNetwork: false };
  const cases = [
    { name: "nothing", workload: makeWorkload("shop/a"), want: [] },
    {
      name: "one replica, and a budget that allows nothing",
      workload: makeWorkload("shop/a", { replicas: 1, disruptionsAllowed: 0 }),
      want: ["1 replica: its restart may be noticed", "its PodDisruptionBudget allows no disruption: it waits"],
    },
    {
      name: "one replica, and a budget that its rollout does not touch",
      workload: makeWorkload("shop/a", { replicas: 1, disruptionsAllowed: 0, rolloutUnavailable: 0 }),
      want: ["1 replica: its restart may be noticed"],
    },
    {
      name: "a budget that its owner ignores",
      workload: makeWorkload("shop/a", {
        disruptionsAllowed: 0,
        annotations: { "meshroll.dev/ignore-budget": "a cache" },
      }),
      want: ["goes below its PodDisruptionBudget, which is ignored: a cache"],
    },
    {
      name: "a budget that allows less than its rollout takes down",
      workload: makeWorkload("shop/a", { disruptionsAllowed: 1, rolloutUnavailable: 2 }),
      want: ["its PodDisruptionBudget allows 1 pod to be missing, and its rollout takes 2 away at once"],
    },
    {
      name: "its owner paused it",
      workload: makeWorkload("shop/a", { paused: true }),
      want: ["its owner paused its rollouts (spec.paused)"],
    },
    {
      name: "its tag points to the old revision",
      workload: makeWorkload("shop/a", { template: tag }),
      want: ["revision tag stable points to old: its owner moves it to new first"],
    },
    {
      name: "its label comes from a server-side apply",
      workload: makeWorkload("shop/a", { revisionManager: { name: "helm", operation: "Apply" } }),
      want: [
        "its label comes from a server-side apply by helm: its next deploy that names another revision is refused as a conflict with " +
          "meshroll, until the manifest names the new one or none",
      ],
    },
    {
      name: "its label comes from a tool that applies with force",
      workload: makeWorkload("shop/a", { revisionManager: { name: "argocd-controller", operation: "Apply" } }),
      want: [],
    },
    {
      name: "its label comes from a client-side apply",
      workload: makeWorkload("shop/a", { revisionManager: { name: "helm", operation: "Update" } }),
      want: [],
    },
    {
      name: "it is already unhealthy",
      workload: makeWorkload("shop/a", { available: 0 }),
      want: ["unhealthy already: tried at the end"],
    },
    {
      name: "an Argo Rollout that a person promotes",
      workload: makeWorkload("shop/a", { kind: "Rollout", rolledOut: true, argo: { needsPromotion: true } }),
      want: ["its Rollout stops for a person: its owner promotes it"],
    },
  ];
  test.each(cases)("$name", ({ workload, want }) => {
    const one = makeCluster("one", [workload], { facts: { tags: { stable: "old" } } });
    const [move] = proposeMoves(all("old"), all("new"), [one], noon).moves;
    expect(move?.workloads[0]?.risks.map(printRisk)).toEqual(want);
  });

  const vms = { allowed: 1, upgrading: 0, failed: 0, unknown: 0, unhealthy: 0, outdated: 0, absent: 0 };
  const makeGroup = (replicas: number) => ({
    ...makeWorkload("shop/db", { replicas }),
    kind: "WorkloadGroup" as const,
    vms,
  });

  test("VMs are no pods, and their group says how it moves", () => {
    const one = makeCluster("one", [makeWorkload("shop/a"), makeGroup(12)]);
    const { clusters, moves } = proposeMoves(all("old"), all("new"), [one], noon);
    expect(clusters).toEqual([{ cluster: "one", namespaces: 1, workloads: 2, pods: 2, vmGroups: 1, vms: 12 }]);
    expect(moves[0]?.workloads.map(({ pods, vms: own, risks }) => [pods, own, risks.map(printRisk)])).toEqual([
      [2, undefined, []],
      [0, 12, ["12 VMs, at most 1 unavailable at once, spread over 14d"]],
    ]);
  });

  test("skipped and migrated workloads are not counted, their namespaces are", () => {
    const skipped = makeWorkload("shop/out", { annotations: { "meshroll.dev/opt-out": "no" } });
    const bare = makeWorkload("bare/web", { template: { labels: {}, annotations: {}, hostNetwork: false }, pods: [] });
    const one = makeCluster("one", [skipped, makeWorkload("there/a", {}, "new"), bare]);
    const proposal = proposeMoves(all("old"), all("new"), [one, makeCluster("two", [makeWorkload("shop/a")])], noon);
    expect(proposal.clusters).toEqual([
      { cluster: "one", namespaces: 2, workloads: 0, pods: 0 },
      { cluster: "two", namespaces: 1, workloads: 1, pods: 2 },
    ]);
    expect(proposal.names).toEqual(["shop", "there"]);
    const [shop] = proposal.moves;
    expect(shop?.workloads.map(({ skipped: why, isMigrated }) => [why !== undefined, isMigrated])).toEqual([
      [true, false],
      [false, false],
    ]);
  });
});

test("1.3 workloads that the campaign leaves alone do not move in its run", () => {
  const head = withCampaign(
    all("new"),
    makeCampaign({ exclude: [{ pattern: "shop", matches: (name) => name === "shop", reason: "pinned" }] }),
  );
  const belonging = { campaign: "up", stage: "all" };
  const plain = proposeMoves(all("old"), head, [makeCluster("one", [makeWorkload("shop/a")])], noon);
  const theirs = proposeMoves(all("old"), head, [makeCluster("one", [makeWorkload("shop/a")])], noon, belonging);
  expect([plain.clusters, theirs.clusters].map(([one]) => one?.workloads)).toEqual([1, 0]);
});

test("1.6 a change after which nothing moves is named at its place in the file", () => {
  const before = specOf("production:\n  old: 100\nx:\n  old: 100\n");
  const after = specOf("production:\n  old: 100\nx:\n  new: 100\n");
  expect(proposeMoves(before, after, [cluster], noon).findings).toMatchObject([{ code: "MR1106", line: 3, column: 1 }]);
  // A removed bucket has no line in the file any more.
  const less = specOf("production:\n  old: 100\n");
  expect(proposeMoves(before, less, [cluster], noon).findings).toMatchObject([{ code: "MR1106", line: 1, column: 1 }]);
});

test("1.6 a change after which nothing moves is an error at plan", () => {
  const other = specOf("production: { old: 100 }\nelsewhere: { new: 100 }\n");
  const { findings, moves } = proposeMoves(all("old"), other, [cluster], noon);
  expect([moves, findings.map(({ code, severity }) => `${code} ${severity}`)]).toEqual([[], ["MR1106 error"]]);
});

test("1.6 an unchanged file is no error", () => {
  expect(proposeMoves(all("old"), all("old"), [cluster], noon).findings).toEqual([]);
});

test("1.8 of equal-length patterns the smaller in byte order wins", () => {
  const tied = specOf("production: { old: 100 }\nsho.: { new: 100 }\nsh.p: { newer: 100 }\n");
  expect(tied.resolver.resolve("shop").bucket.pattern).toBe("sh.p");
});

test("1.8 a tie that concerns a namespace of the fleet is MR1007, an error at plan", () => {
  const tied = specOf("production: { old: 100 }\nsho.: { new: 100 }\nsh.p: { newer: 100 }\n");
  const [finding] = proposeMoves(all("old"), tied, [cluster], noon).findings;
  expect([finding?.code, finding?.severity]).toEqual(["MR1007", "error"]);
});

test("1.8 a tie that concerns no namespace is not reported", () => {
  const tied = specOf("production: { new: 100 }\nsho.x: { new: 100 }\nsh.px: { newer: 100 }\n");
  expect(proposeMoves(all("old"), tied, [cluster], noon).findings).toEqual([]);
});

function seeded(text: string, seed: string): Spec {
  const compiled = compileSpec(sha("x"), text, `assignment: { seed: ${seed} }\n`);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

const split = "production: { old: 50, new: 50 }\n";

test.each([
  ["a bucket is split", split, split, ["MR2008 meshroll.yml 1:21"]],
  ["a bucket is split until this change", split, "production: { new: 100 }\n", ["MR2008 meshroll.yml 1:21"]],
  ["each bucket is at one revision", "production: { old: 100, new: 0 }\n", "production: { old: 100 }\n", []],
])("a changed seed while %s", (_, before, after, want) => {
  const { findings } = proposeMoves(seeded(before, "one"), seeded(after, "two"), [cluster], noon);
  const seeds = findings.filter(({ code }) => code !== "MR1106");
  expect(seeds.map(({ code, file, line, column }) => `${code} ${file} ${line}:${column}`)).toEqual(want);
});

test("1.6 a new seed that moves nothing is no error, if it is allowed", () => {
  const text = "production: { old: 100 }\n";
  expect(proposeMoves(seeded(text, "one"), seeded(text, "two"), [cluster], noon).findings).toEqual([]);
});
