import { type History, HistoryFold, historyKeys } from "#libs/events";
import { runCli } from "#test/run-cli";
import { afterEach, expect, test } from "vitest";

import { useOwnBroker } from "./own-broker.ts";
import { RealFleet } from "./fleet/real-fleet.ts";

const file = (weight: number) => `production:\n  old: ${100 - weight}\n  new: ${weight}\n`;
const settings =
  "defaults:\n  batch: { batchSize: 1, delayBetweenBatches: 5s, readinessTimeout: 1m, failurePolicy: ContinueOnError }\n";
const names = ["a", "b", "c"];
const bad = { namespace: "shop-a", kind: "Deployment", name: "web" } as const;

const redis = useOwnBroker("redis", ["verbs"]);
const nats = useOwnBroker("nats", ["verbs"]);

let fleet: RealFleet | undefined;

afterEach(async () => {
  const ended = fleet;
  fleet = undefined;
  await ended?.end();
});

/** A fleet whose only bad workload is the first one that is tried. */
async function startFleet(): Promise<RealFleet> {
  const made = new RealFleet({ redis: redis(), nats: nats() }, "verbs", 30);
  fleet = made;
  made.model.addIstiod("old");
  made.model.addIstiod("new");
  for (const each of names) {
    const labels = { "istio.io/rev": "old" };
    made.model.addDeployment({ ns: `shop-${each}`, name: "web", replicas: 2, labels, readyMs: 15_000 });
  }
  await made.start({ "rollouts.yml": file(0), "meshroll.yml": settings });
  made.startService("executor");
  made.startService("planner");
  return made;
}

function listRevisions({ model }: RealFleet): string {
  const pods = names.flatMap((each) => model.podsOf({ namespace: `shop-${each}`, kind: "Deployment", name: "web" }));
  return [...new Set(pods.map(({ revision }) => revision ?? ""))].toSorted().join("+");
}

/** Runs the CLI in this process: starting a process for each verb would take longer than the verbs. */
async function meshroll(made: RealFleet, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(args, { env: { ...made.env, USER: "ana" }, cwd: made.folder });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** Joins lines that were wrapped for a terminal. */
function flatten(text: string): string {
  return text.replaceAll(/\s+/gu, " ");
}

/** The sentences that the planner published for the page. */
async function readPublished({ bus }: RealFleet): Promise<readonly string[]> {
  const [fold, stop] = [new HistoryFold(), new AbortController()];
  const onEntry = ({ key, value = "" }: { readonly key: string; readonly value?: string }) =>
    void fold.apply(key, value);
  await bus.bucket("status").watch(historyKeys, { onEntry, onReady() {}, onReset() {} }, stop.signal);
  stop.abort();
  return fold.log()?.lines.map(({ sentence }) => sentence) ?? [];
}

test("7.4 pause, resume, retry, rollback and unhold work through real processes, and history lists them all", async () => {
  const made = await startFleet();
  const fix = made.model.breakWorkload(bad, { how: "neverReady", whenRevision: "new" });
  const reason = ["--reason", "a drill"];
  const first = (await made.merge({ "rollouts.yml": file(100) })).slice(0, 12);
  await made.until("something moves", () => made.writes.length > 0);

  const paused = await meshroll(made, "pause", `run/${first}`, ...reason);
  // While the git server is slow, its wait may be named first.
  await made.until("status names the pause", async () => {
    const status = await meshroll(made, "status");
    return new RegExp(`waiting +run/${first} is stopped by ana`).test(status);
  });
  const resumed = await meshroll(made, "resume", `run/${first}`, ...reason);
  const { outcome } = await made.untilRunEnds();
  fix();
  const retried = await meshroll(made, "retry", `run/${first}`, "shop-a/web", ...reason);
  await made.until("all runs the new one", () => listRevisions(made) === "new");
  const rolledBack = await meshroll(made, "rollback", "--now", "-y", ...reason);
  await made.until("all runs the old one", () => listRevisions(made) === "old");
  const second = (await made.merge({ "rollouts.yml": file(0) })).slice(0, 12);
  await made.untilRunEnds(2);
  // By name: the status lags behind the ledger by a reconcile, and shows one stop before the rollback is over, too.
  await made.until("only the rollback's hold is left", async () => {
    const stops = (await made.status())?.stops.map(({ id }) => id) ?? [];
    return stops.join("+") === `rollback-${second}-1`;
  });
  const unheld = await meshroll(made, "unhold", "bucket/production", ...reason);
  const history = await meshroll(made, "history", "--tz", "UTC");
  const ofSecond = await meshroll(made, "history", `run/${second}`, "-o", "json");

  await made.until("the page has the same history", async () => {
    const { entries } = JSON.parse(await meshroll(made, "history", "-n", "1000", "-o", "json")) as History;
    return entries.map(({ sentence }) => sentence).join("\n") === (await readPublished(made)).join("\n");
  });

  expect(paused).toMatch(/✔ stopped in verbs {3}\d\.\d s\n/);
  expect(paused).toMatch(/✔ recorded {3}\d\.\d s {3}stop pause-/);
  expect(flatten(resumed)).toMatch(/✔ recorded .*resumed pause-/u);
  expect(outcome?.skipped).toMatchObject([{ workload: "shop-a/Deployment/web" }]);
  expect(flatten(retried)).toMatch(/retry of run \w+: 1 workload will be tried again: verbs:shop-a\/Deployment\/web/);
  expect(rolledBack).toContain(`Undo run ${first}: change (ana)\n  production: new 100 % → old 100 %\n`);
  expect(flatten(rolledBack)).toContain(
    "3 namespaces roll back, 3 workloads restart (6 pods), 1 of a cluster at a time",
  );
  expect(rolledBack).toMatch(/✔ rolls back in verbs/);
  expect(flatten(unheld)).toMatch(new RegExp(`unheld rollback-${second}-1 on bucket/production`));
  for (const cause of ["MainChanged", "StopPlaced", "StopResumed", "Retried", "RollbackOver", "RunEnded"]) {
    expect(history).toContain(cause);
  }
  expect(history.split("\n").filter((line) => line.length > 80)).toEqual([]);
  const runHistory = JSON.parse(ofSecond) as { readonly entries: readonly { readonly sentence: string }[] };
  expect(runHistory.entries.at(-1)?.sentence).toContain(`run ${second} started: change (ana); a rollback`);
});

test("a workload that its owner's deploy put back converges: first the list, then its own run", async () => {
  const made = await startFleet();
  await made.merge({ "rollouts.yml": file(100) });
  await made.untilRunEnds();
  made.model.ownerApply(bad, { image: "registry.example/web:2", templateLabels: { "istio.io/rev": "old" } });
  await made.until("it is back on the old one", () => listRevisions(made) === "new+old");
  await made.until("it is drift", async () => (await made.status())?.clusters[0]?.drift === 1);

  const rehearsed = await meshroll(made, "converge", "--dry-run", "--reason", "their deploy");
  const asked = await meshroll(made, "converge", "-n", "shop-a", "-y", "--reason", "their deploy");
  await made.until("all runs the new one", () => listRevisions(made) === "new");
  await made.untilRunEnds(2);
  const again = await meshroll(made, "converge", "-y", "--reason", "once more");

  expect(flatten(rehearsed)).toContain(
    "Converge all: 1 workload differs from main and would move verbs:shop-a/Deployment/web",
  );
  expect(flatten(rehearsed)).toMatch(
    /\S+ → new, Overwritten by kubectl-client-side-apply: .* no request was sent: this is a dry run/u,
  );
  expect(flatten(asked)).toMatch(
    /✔ recorded .* run \w+ started: converge namespace\/shop-a, 1 workload \(ana: their deploy\)/u,
  );
  expect(flatten(again)).toContain("nothing to converge: in all no workload differs from main");
});
