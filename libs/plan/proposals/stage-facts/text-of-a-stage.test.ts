import { printPull, writeText, renderStagePull } from "#libs/wording";
import { readFileSync } from "node:fs";

import type { Campaign } from "#libs/campaign";
import { compileSpec, judgeStages, proposeStage, type RunRecord, evaluateFleet, type Snapshot } from "#libs/plan";
import { makeCluster, makeLedger, makeRun, makeWorkload, makeSnapshot, noon, sha } from "#test/world/build";
import { makeCampaign, makeStage, withCampaign } from "#test/world/campaigns/campaign";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

const fixtures = new URL("../../../../test/fixtures/", import.meta.url);
const campaign = readFileSync(new URL("campaigns/istio-1-25.yml", fixtures), "utf8");
const golden = new URL("stages/pull-request.md", fixtures);
const rollouts =
  "production:\n  1-24-5: 95\n  1-25-2: 5\n" +
  '".*-staging":\n  1-24-5: 0\n  1-25-2: 100\n"payments-.*":\n  1-24-5: 100\n  1-25-2: 0\n' +
  "istio-e2e:\n  1-24-5: 0\n  1-25-2: 100\n";

const head = sha("prod-5");
const words = ["search", "listings", "checkout", "reviews", "pricing", "inbox", "calendar", "photos", "maps", "trips"];
const parts = ["api", "worker", "cache", "indexer", "edge"];

function withText(proposed: ReturnType<typeof proposeStage>) {
  return { ...proposed, ...printPull(renderStagePull(proposed.words)) };
}

/** One namespace in ten has a single replica, or a budget that allows nothing. */
function fill(cluster: string, seed: number) {
  const names = words.flatMap((word) => parts.map((part) => `${word}-${part}`));
  const here = names.filter((_, index) => (index + seed) % 3 !== 0);
  const workloads = here.map((name, index) =>
    makeWorkload(
      `${name}/${name.split("-")[1] ?? "web"}`,
      {
        replicas: (index + seed) % 11 === 0 ? 1 : 2 + ((index * 7) % 20),
        ...((index + seed) % 17 === 0 ? { disruptionsAllowed: 0 } : {}),
      },
      "1-24-5",
    ),
  );
  const revisions = ["1-24-5", "1-25-2"].map((name) => {
    return { name, webhook: true, istiod: "ready" as const, version: name.slice(0).replaceAll("-", ".") };
  });
  return makeCluster(cluster, workloads, { facts: { revisions } });
}

const before: RunRecord = makeRun(sha("5"), sha("0"), {
  state: "done",
  campaign: "istio-1-25",
  clusters: {},
  stage: "prod-5",
  bake: {
    beganAt: "2026-11-16T10:00:00.000Z",
    neededMs: 172_800_000,
    healthyMs: 172_800_000,
    savedAt: "2026-11-18T10:00:00.000Z",
  },
  gates: {
    restarts: {
      verdict: "pass",
      at: "2026-11-16T10:00:00.000Z",
      why: writeText("0 of 57 workloads failed"),
      value: 0,
      limit: 0.02,
    },
    proxies: {
      verdict: "pass",
      at: "2026-11-18T09:00:00.000Z",
      why: writeText("1,104 of 1,105 proxies are synced"),
      value: 0.99909,
      limit: 0.999,
    },
    "on-revision": {
      verdict: "pass",
      at: "2026-11-18T09:00:00.000Z",
      why: writeText("1,105 of 1,105 pods run 1-25-2"),
      value: 1,
      limit: 1,
    },
  },
  outcome: { migrated: 57, skipped: [], seen: [], differences: [] },
});

function makeProposal(change: Partial<Snapshot> = {}) {
  const compiled = compileSpec(head, rollouts, undefined, { "campaigns/istio-1-25.yml": campaign });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const names = ["stage-use1", "prod-use1-a", "prod-use1-b", "prod-usw2-a", "prod-euw1-a", "prod-apne1-a"];
  const snapshot: Snapshot = {
    now: noon,
    main: { head, ageMs: 0, contained: true, vanished: [], points: [] },
    ledger: makeLedger({ main: head, judged: head, runs: { [before.id]: before } }),
    specs: new Map([[head, compiled.spec]]),
    clusters: new Map(names.map((name, index) => [name, fill(name, index)])),
    requests: [],
    waitingSince: new Map(),
    queueUp: true,
    ...change,
  };
  const [verdict] = judgeStages(snapshot, compiled.spec, evaluateFleet(snapshot, compiled.spec));
  if (verdict?.kind !== "propose") throw new Error(JSON.stringify(verdict?.kind === "wait" ? verdict.reason : verdict));
  return withText(
    proposeStage(snapshot, compiled.spec, verdict, (list) => `sha256:of-${list.split("\n").length - 1}-lines`),
  );
}

/** A stage of the campaign `up` that sets these buckets, over one namespace for each of these names. */
function describeRamp(
  buckets: readonly string[],
  names: readonly string[],
  change: Partial<Snapshot> = {},
  more: Partial<Campaign> = {},
) {
  const shares: Readonly<Record<string, string>> = { production: "old: 90\n  new: 10", three: "old: 50\n  older: 50" };
  const share = (pattern: string) => `  ${shares[pattern] ?? "old: 100"}\n`;
  const compiled = compileSpec(head, buckets.map((pattern) => `"${pattern}":\n${share(pattern)}`).join(""), undefined);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const stage = { ...makeStage("all", 100), set: Object.fromEntries(buckets.map((pattern) => [pattern, 100])) };
  const spec = withCampaign(compiled.spec, makeCampaign({ stages: [stage], replaces: ["old", "older"], ...more }));
  const cluster = makeCluster(
    "one",
    names.map((name) => makeWorkload(`${name}/web`)),
  );
  const snapshot = makeSnapshot({
    main: { head, ageMs: 0, contained: true, vanished: [], points: [] },
    ledger: makeLedger({ main: head, judged: head }),
    specs: new Map([[head, spec]]),
    clusters: new Map([["one", cluster]]),
    ...change,
  });
  const [verdict] = judgeStages(snapshot, spec, evaluateFleet(snapshot, spec));
  if (verdict?.kind !== "propose") throw new Error(JSON.stringify(verdict?.kind === "wait" ? verdict.reason : verdict));
  return withText(proposeStage(snapshot, spec, verdict, () => "sha256:x"));
}

describe("10.2 what a pull request of many buckets and namespaces says", () => {
  const buckets = (count: number) => ["production", ...Array.from({ length: count - 1 }, (_, index) => `x${index}-.*`)];
  const many = (count: number) => Array.from({ length: count }, (_, index) => `x0-${String(index).padStart(3, "0")}`);

  it.each([
    { count: 1, title: "rollout(up): production 10 → 100 % on new [1/1 all]", more: undefined },
    { count: 3, title: "rollout(up): production 10 → 100 % and 2 more on new [1/1 all]", more: undefined },
    { count: 5, title: "rollout(up): production 10 → 100 % and 4 more on new [1/1 all]", more: undefined },
    {
      count: 7,
      title: "rollout(up): production 10 → 100 % and 6 more on new [1/1 all]",
      more: "and 2 more buckets",
    },
  ])("$count buckets: five are reported, more are counted", ({ count, title, more }) => {
    const told = describeRamp(buckets(count), ["a", "b", "x0-a"]);
    const first = told.body.split("\n")[0] ?? "";
    expect(told.title).toBe(title);
    expect(first.match(/\(actual/gu)).toHaveLength(Math.min(5, count));
    expect(/and \d+ more buckets/u.exec(first)?.[0]).toBe(more);
  });

  it("each bucket has its own counts, and an empty one has none", () => {
    const first = describeRamp(buckets(3), ["x0-a", "x0-b"]).body.split("\n")[0];
    expect(first).toBe(
      "Moves **2 of 2** managed namespaces from `old` to **`new`**: `production` 10 → 100 % (actual 0.0 → 0.0 %); " +
        "`x0-.*` 0 → 100 % (actual 0.0 → 100.0 %); `x1-.*` 0 → 100 % (actual 0.0 → 0.0 %). 0 move back.",
    );
  });

  it.each([
    { count: 1, want: "<summary>The namespace, and its position" },
    { count: 100, want: "<summary>The 100 namespaces, and their positions" },
    { count: 101, want: "<summary>The first 100 of 101 namespaces, and their positions" },
  ])("$count moving: at most a hundred are shown", ({ count, want }) => {
    const { body } = describeRamp(buckets(2), many(count));
    expect(body).toContain(want);
    expect(body.match(/^\| `x0-/gmu)).toHaveLength(Math.min(count, 100));
  });

  it("with strategy OnDeploy: what moves workloads, when the rest is restarted, and the latest end", () => {
    const when = (admission: object) => {
      const settings = { strategy: "OnDeploy", deadline: 28 * 86_400_000, ...admission } as const;
      const { body } = describeRamp(["production"], ["a", "b"], {}, { stages: [makeStage("all", 100, settings)] });
      return body.split("\n").find((line) => line.startsWith("- **When merged:**"));
    };
    const plain =
      "- **When merged:** nothing is restarted for 28d. Owners' deploys bring the revision along. 28d after a wave has begun, " +
      "batches restart the remaining workloads (1 workload of a cluster at a time). The latest end is about 28 d after the merge.";
    expect(when({})).toBe(plain);
    expect(when({ admission: { minDeploymentAge: 14 * 86_400_000 } })).toBe(
      plain.replace(
        "along.",
        "along, and each new pod of a manifest that is older than 14d gets it too, as when a node is drained.",
      ),
    );
  });

  it.each([
    {
      count: 1,
      want: "One of the workloads is a group of 20 VMs, in no batch: its VMs are upgraded one after the other",
    },
    {
      count: 2,
      want: "2 of the workloads are groups of 40 VMs, in no batch: their VMs are upgraded one after the other",
    },
  ])("$count with VMs: how many, over which time, and how many at once", ({ count, want }) => {
    const vms = { allowed: 2, upgrading: 0, failed: 0, unknown: 0, unhealthy: 0, outdated: 0, absent: 0 };
    const groups = Array.from({ length: count }, (_, at) =>
      makeWorkload(`a/db-${at}`, { kind: "WorkloadGroup", replicas: 20, vms }),
    );
    const clusters = new Map([["one", makeCluster("one", [...groups, makeWorkload("a/web")])]]);
    const { body } = describeRamp(["production"], ["a"], { clusters });
    expect(body).toContain(
      `${want}, spread over 14d, while at most 10 % of a group are unavailable. The stage ends with the last one.`,
    );
    expect(body).toContain(`| one (1) | 1 | ${count + 1} | 2 | 1 | 14 d |`);
  });

  it("1.8 names its errors", () => {
    expect(describeRamp(["production", "sho.", "sh.p"], ["shop"]).body).toMatch(/^> MR1007: \S/mu);
  });

  it("1.3 workloads that its campaign leaves alone stay skipped, with the reason", () => {
    const exclude = [{ pattern: "b", matches: (name: string) => name === "b", reason: "pinned" }];
    const { proposal } = describeRamp(["production"], ["a", "b"], {}, { exclude });
    const told = proposal.moves.flatMap(({ workloads }) =>
      workloads.map(({ workload, skipped }) => [workload, skipped !== undefined]),
    );
    expect(Object.fromEntries(told)).toEqual({ "a/Deployment/web": false, "b/Deployment/web": true });
  });

  it("shows no position for a namespace without one, and no time for a cluster without restarts", () => {
    const { body } = describeRamp(["production", "three"], ["three"], {
      clusters: new Map([["one", makeCluster("one", [makeWorkload("three/web", {}, "new")])]]),
    });
    expect(body).toMatch(/^\| `three` \| `old(er)?` \| – \| 1 \| one \|$/mu);
    expect(body).toContain("| one (1) | 1 | 0 | 0 | 0 | – |");
  });
});

describe("10.2 the pull request of a stage", () => {
  it("10.2 says who moves, at what risk, on what evidence, and what happens then", async () => {
    const { title, body } = makeProposal();
    await expect(`${title}\n\n${body}`).toMatchFileSnapshot(fileURLToPath(golden));
  });

  it("10.2 is the same text for the same snapshot, without the time of day", () => {
    const [one, other] = [makeProposal(), makeProposal({ now: noon + 60_000 })];
    expect(other.body).toBe(one.body);
  });

  it("10.2 names the recorded list, once there is one", () => {
    expect(makeProposal().body).toContain(makeProposal().digest);
  });

  it("10.2 ends with one line for people's scripts that no pattern can break out of", () => {
    const lines = makeProposal().body.trimEnd().split("\n");
    const payload = /^<!-- meshroll:v1 (\{.*\}) -->$/u.exec(lines.at(-1) ?? "")?.[1] ?? "";
    expect(JSON.parse(payload)).toMatchObject({
      campaign: "istio-1-25",
      stage: "prod-25",
      from: { production: 5 },
      to: { production: 25 },
    });
    expect(payload).not.toMatch(/--|>/u);
  });
});
