import { expect, test } from "vitest";

import { printText } from "#libs/wording";

import type { FleetFlow } from "../fleet-flow.ts";
import { countOn, file, openShop, refOf, running, settingsOf, type ShopOptions, listMovedPaths } from "../shop.ts";

const names = ["a", "b", "c", "d"];
const onError = settingsOf("batchSize: 1, failurePolicy: ContinueOnError");

const findStops = async (flow: FleetFlow): Promise<readonly string[]> =>
  Object.values((await flow.ledger())?.stops ?? {}).map(({ scope, cause }) => `${scope} ${cause}`);

const findFailures = async (flow: FleetFlow): Promise<readonly string[]> =>
  ((await flow.status())?.failures?.items ?? []).map(({ workload, message }) => `${workload} ${printText(message)}`);

/** Four shops that move one by one; writes to shop-b are refused. */
async function openRefused(by: "policy" | "rbac" | "validation" | "webhook", options: ShopOptions = {}) {
  const flow = await openShop({ names, settings: onError, ...options });
  return { flow, policy: flow.model("one").faults.refuseWrites("shop-b", by) };
}

const words = {
  policy: 'admission policy "frozen" denied the request',
  rbac: "cannot patch resource",
  validation: "is invalid",
  webhook: 'failed calling webhook "guard.example.com"',
};

test.each(["policy", "rbac", "validation", "webhook"] as const)(
  "4.6 what a %s refuses is the failure of one workload, with the server's words: all others move, no cluster is stopped",
  async (by) => {
    const { flow, policy } = await openRefused(by);
    flow.whenMerged(file(100));
    const [run] = await flow.untilRunsEnd(1);
    const tries = policy.count();
    await flow.pass(300_000);

    expect(countOn(flow, "new", names)).toBe(3);
    expect([run?.state, run?.outcome?.skipped.map(({ code, workload }) => `${code} ${workload}`)]).toEqual([
      "done",
      ["WriteRefused shop-b/Deployment/web"],
    ]);
    expect(await findFailures(flow)).toEqual([
      expect.stringMatching(/^one:shop-b\/Deployment\/web WriteRefused: the API server refused to change it: /u),
    ]);
    expect(await findFailures(flow)).toEqual([expect.stringContaining(words[by])]);
    expect(await findStops(flow)).toEqual([]);
    // A 403 is asked for twice; a webhook gets a minute to come back.
    expect([tries <= (by === "webhook" ? 14 : 2), policy.count() - tries]).toEqual([true, 0]);
    await flow.end();
  },
);

test("3.3 once the policy is gone, a retry moves the refused workload", async () => {
  const { flow, policy } = await openRefused("policy");
  const run = flow.whenMerged(file(100)).slice(0, 12);
  await flow.untilRunsEnd(1);
  policy.end();
  await flow.whenAsked({ verb: "retry", scope: `run/${run}` });
  await flow.until("it moves", () => running(flow, refOf("b")).join() === "new");
  await flow.pass(60_000);

  expect(await findFailures(flow)).toEqual([]);
  await flow.end();
});

test("4.1 when every namespace is refused, the login lacks the right: the cluster stops after three, and no others are tried", async () => {
  const flow = await openShop({ settings: onError });
  const policies = ["a", "b", "c", "d", "e", "f"].map((name) =>
    flow.model("one").faults.refuseWrites(`shop-${name}`, "rbac"),
  );
  flow.whenMerged(file(100));
  await flow.until("the cluster is stopped", async () => (await findStops(flow)).length > 0);
  await flow.pass(300_000);
  expect(await findStops(flow)).toEqual(["cluster/one jobFailed"]);
  expect(policies.map((policy) => policy.count())).toEqual([2, 2, 2, 0, 0, 0]);

  for (const policy of policies) policy.end();
  await flow.whenAsked({ verb: "resume", scope: "cluster/one" });
  await flow.untilRunsEnd(1);
  expect(countOn(flow, "new")).toBe(3);
  await flow.end();
});

const byLabel: ShopOptions = {
  names: [],
  prepare: (model) => {
    for (const name of names) {
      model.addNamespace(`shop-${name}`, { labels: { "istio.io/rev": "old" } });
      model.addDeployment({ ns: `shop-${name}`, name: "web", replicas: 2, readyMs: 5000 });
    }
  },
};

test("5.2 a namespace whose new label is refused fails as a unit, and all others move", async () => {
  const { flow, policy } = await openRefused("policy", byLabel);
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);

  expect([countOn(flow, "new", names), policy.count()]).toEqual([3, 2]);
  expect(await findFailures(flow)).toEqual([expect.stringContaining("WriteRefused (its namespace failed as one)")]);
  expect(await findStops(flow)).toEqual([]);
  await flow.end();
});

test("5.2 a restart that is refused once the label of its namespace is written fails the namespace, whose label is put back", async () => {
  const { flow, policy } = await openRefused("validation", byLabel);
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);

  expect(countOn(flow, "new", names)).toBe(3);
  expect(running(flow, refOf("b"))).toEqual(["old"]);
  expect([policy.count(), listMovedPaths(flow).filter((path) => path === "shop-b").length]).toEqual([1, 2]);
  expect(await findFailures(flow)).toEqual([expect.stringContaining("WriteRefused: the API server refused")]);
  await flow.end();
});

test("4.6 a refused undo stops no cluster: all others move, and the run stays open until the undo is done", async () => {
  const flow = await openShop({ names, settings: onError.replace("batchSize", "readinessTimeout: 60s, batchSize") });
  flow.model("one").breakWorkload(refOf("b"), { how: "neverReady", whenRevision: "new" });
  flow.whenMerged(file(100));
  await flow.until("it moves", () => listMovedPaths(flow).some((path) => path.startsWith("shop-b/")));
  const policy = flow.model("one").faults.refuseWrites("shop-b");
  await flow.until("all others have moved", () => countOn(flow, "new", names) === 3);
  await flow.until("its undo is refused", () => policy.count() > 0);
  await flow.killExecutor();
  await flow.startExecutor().pass(120_000);
  expect([await findStops(flow), (await flow.runs())[0]?.state]).toEqual([[], "open"]);

  policy.end();
  await flow.untilRunsEnd(1);
  expect([running(flow, refOf("b")), await findFailures(flow)]).toEqual([
    ["old"],
    [expect.stringContaining("ReadinessTimeout")],
  ]);
  await flow.end();
});

test("2.3 a rollback whose writes are refused is tried again until it is done", async () => {
  const flow = await openShop({ names, settings: onError });
  flow.whenMerged(file(100));
  await flow.untilRunsEnd(1);
  const policy = flow.model("one").faults.refuseWrites("shop-b", "validation");
  flow.whenMerged(file(0));
  await flow.until("all others are back", () => countOn(flow, "old", names) === 3);
  await flow.pass(60_000);
  policy.end();
  await flow.untilRunsEnd(2);

  expect(countOn(flow, "old", names)).toBe(4);
  await flow.end();
});
