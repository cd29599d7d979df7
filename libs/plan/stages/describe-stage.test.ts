import { readFileSync } from "node:fs";

import { compileSpec, judgeStages, proposeStage, type RunRecord, surveyFleet, type World } from "#libs/plan";
import { makeCluster, makeLedger, makeRun, makeWorkload, noon, sha } from "#test/world/build";
import { describe, expect, it } from "vitest";

const fixtures = new URL("../../../test/fixtures/", import.meta.url);
const campaign = readFileSync(new URL("campaigns/istio-1-25.yml", fixtures), "utf8");
const golden = new URL("stages/pull-request.md", fixtures);
const rollouts =
  "production:\n  1-24-5: 95\n  1-25-2: 5\n" +
  '".*-staging":\n  1-24-5: 0\n  1-25-2: 100\n"payments-.*":\n  1-24-5: 100\n  1-25-2: 0\n' +
  "istio-e2e:\n  1-24-5: 0\n  1-25-2: 100\n";

const head = sha("prod-5");
const words = ["search", "listings", "checkout", "reviews", "pricing", "inbox", "calendar", "photos", "maps", "trips"];
const parts = ["api", "worker", "cache", "indexer", "edge"];

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
      why: "0 of 57 workloads failed",
      value: 0,
      limit: 0.02,
    },
    proxies: {
      verdict: "pass",
      at: "2026-11-18T09:00:00.000Z",
      why: "1,104 of 1,105 proxies are synced",
      value: 0.99909,
      limit: 0.999,
    },
    "on-revision": {
      verdict: "pass",
      at: "2026-11-18T09:00:00.000Z",
      why: "1,105 of 1,105 pods run 1-25-2",
      value: 1,
      limit: 1,
    },
  },
  outcome: { arrived: 57, aside: [], seen: [], differences: [] },
});

function makeProposal(change: Partial<World> = {}) {
  const compiled = compileSpec(head, rollouts, undefined, { "campaigns/istio-1-25.yml": campaign });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  const names = ["stage-use1", "prod-use1-a", "prod-use1-b", "prod-usw2-a", "prod-euw1-a", "prod-apne1-a"];
  const world: World = {
    now: noon,
    main: { head, ageMs: 0, contained: true, vanished: [], points: [] },
    ledger: makeLedger({ main: head, judged: head, runs: { [before.id]: before } }),
    specs: new Map([[head, compiled.spec]]),
    clusters: new Map(names.map((name, index) => [name, fill(name, index)])),
    asks: [],
    waitingSince: new Map(),
    queueUp: true,
    ...change,
  };
  const [verdict] = judgeStages(world, compiled.spec, surveyFleet(world, compiled.spec));
  if (verdict?.kind !== "propose") throw new Error(JSON.stringify(verdict?.kind === "wait" ? verdict.reason : verdict));
  return proposeStage(world, compiled.spec, verdict, (list) => `sha256:of-${list.split("\n").length - 1}-lines`);
}

describe("10.2 the pull request of a stage", () => {
  it("10.2 says who moves, at what risk, on what evidence, and what happens then", async () => {
    const { title, body } = makeProposal();
    await expect(`${title}\n\n${body}`).toMatchFileSnapshot(golden.pathname);
  });

  it("10.2 is the same text for the same world, and says nothing of the minute", () => {
    const [one, other] = [makeProposal(), makeProposal({ now: noon + 60_000 })];
    expect(other.body).toBe(one.body);
  });

  it("10.2 speaks of the list that the ledger has, once it has one", () => {
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
