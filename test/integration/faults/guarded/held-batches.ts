import { deepStrictEqual, rejects } from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import { nameClusterKey, nameNamespaceKey } from "#libs/events";

import type { Fault, Stage } from "../passes/fault.ts";
import { countOn } from "../passes/shop.ts";
import { startSlowWire } from "../passes/slow-wire.ts";
import { type HeldBatch, holdBatch, sendsNothing, writeKubeconfig } from "./hold-batch.ts";

/** A stop for all comes while a patch is in hand: the rest of the batch is not written. */
async function stopInBatch(batch: HeldBatch): Promise<void> {
  const { fleet } = batch.stage;
  await fleet.request({ verb: "stop", scope: "all" });
  const isMigrated = () =>
    fleet.model.writes.some((write) => write.status < 300 && write.path.includes("/meshroll-system/configmaps"));
  await fleet.until("the executor has placed the stop in its cluster", isMigrated);
  await sendsNothing(batch, "written although all is stopped");
  await fleet.request({ verb: "resume", scope: "all" });
  batch.stage.fixed();
}

/** Longer than control is believed, real ms. */
const controlGoneMs = 32_000;

async function losePlannerInBatch(batch: HeldBatch): Promise<void> {
  const { fleet } = batch.stage;
  const thaw = fleet.freeze("planner");
  await sleep(controlGoneMs);
  await rejects(
    fleet.meshroll("status"),
    { code: 69, stdout: /no planner has written for/ },
    "status says that it is old",
  );
  await sendsNothing(batch, "written although no planner has said a word for half a minute");
  thaw();
  batch.stage.fixed();
}

/** The target's istiod goes while the batch is in hand. */
async function loseIstiodInBatch(batch: HeldBatch): Promise<void> {
  const { fleet } = batch.stage;
  fleet.model.setIstiod("new", "unready");
  const key = nameClusterKey(fleet.cluster);
  await fleet.until("the executor sees that it is not ready", async () => {
    const { revisions = [] } = JSON.parse((await fleet.bus.bucket("inventory").get(key))?.value ?? "{}") as {
      readonly revisions?: readonly { readonly name: string; readonly istiod: string }[];
    };
    return revisions.some(({ name, istiod }) => name === "new" && istiod !== "ready");
  });
  await sendsNothing(batch, "written although the target's istiod is not ready");
  await batch.stage.untilNamed("IstiodNotReady");
  fleet.model.setIstiod("new", "ready");
  batch.stage.fixed();
}

/** Deleted and created again under the same name, as `kubectl replace --force` does it, while its own patch is in hand. */
async function recreateInBatch(batch: HeldBatch): Promise<void> {
  const { stage, held } = batch;
  const { fleet } = stage;
  const thaw = fleet.freeze("planner");
  const ns = /namespaces\/([^/]+)\//.exec(held.path)?.[1] ?? "";
  fleet.model.deleteWorkload({ namespace: ns, kind: "Deployment", name: "web" });
  fleet.model.addDeployment({ ns, name: "web", replicas: 2, labels: { "istio.io/rev": "old" }, readyMs: 15_000 });
  await fleet.until("its pods are ready", () => countOn(fleet, "old") === 8);
  const isThis = (path: string) => path.includes(`/${ns}/`);
  await sendsNothing(batch, "written although it is another workload than the batch named", isThis);
  thaw();
  stage.fixed();
}

/** The kubeconfig leads to another cluster with the same workloads, as a copy restored from a backup has them. */
async function swapClusterInBatch(batch: HeldBatch): Promise<void> {
  const { stage, wire } = batch;
  const { fleet } = stage;
  const thaw = fleet.freeze("planner");
  const facts = async () => (await fleet.bus.bucket("inventory").get(nameClusterKey(fleet.cluster)))?.value ?? "{}";
  const { uid } = JSON.parse(await facts()) as { readonly uid: string };
  const other = `${uid.slice(0, -4)}beef`;
  const back = wire.rewrite(uid, other);
  const relist = (): void => {
    const isWatch = ({ url }: { readonly url: string }) => url.includes("watch=") && url.includes("/namespaces?");
    fleet.kube.faults.answerNext({ status: 410, when: isWatch });
    fleet.kube.faults.cutWatches();
  };
  relist();
  await fleet.until("the executor sees the other cluster", async () => (await facts()).includes(other));
  await sendsNothing(batch, "written to another cluster than the batch was made for");
  back();
  relist();
  await fleet.until("the executor sees its cluster again", async () => (await facts()).includes(uid));
  thaw();
  stage.fixed();
}

const minute = 60_000;

/** A window that forbids moves, from some minutes of the clock after now on, for twelve. */
function forbidSoon({ fleet }: Stage) {
  const from = Math.ceil((fleet.clock.now() + 8 * minute) / minute) * minute;
  const at = new Date(from);
  const schedule = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
  const window = `{ kind: deny, schedule: "${schedule}", duration: 12m, timeZone: UTC, atEnd: stop }`;
  const batch = "{ batchSize: 2, delayBetweenBatches: 5s, readinessTimeout: 1h }";
  return { from, text: `defaults:\n  batch: ${batch}\n  windows: [${window}]\n` };
}

async function closeWindowInBatch(stage: Stage): Promise<void> {
  let from = 0;
  const play = async (batch: HeldBatch): Promise<void> => {
    await stage.fleet.until("the window closes", () => stage.fleet.clock.now() > from);
    await sendsNothing(batch, "written although its window has closed");
    await stage.untilNamed("WindowClosed");
    stage.fixed();
  };
  await holdBatch(stage, play, () => {
    const forbidden = forbidSoon(stage);
    ({ from } = forbidden);
    return { "meshroll.yml": forbidden.text };
  });
}

const drained = ["shop-f", "shop-g", "shop-h"] as const;

/** Three workloads lose their pods at once, as a zone that goes takes them: they count against the limit of what we move. */
async function drainInBatch(batch: HeldBatch): Promise<void> {
  const { stage } = batch;
  const { fleet } = stage;
  const isDrained = ({ namespace }: { readonly namespace: string }) => drained.some((name) => name === namespace);
  const fix = fleet.model.breakWorkload(isDrained, { how: "crash" });
  await fleet.until("the executor sees what lacks pods", async () => {
    const keys = drained.map((name) => nameNamespaceKey(fleet.cluster, name));
    const entries = await Promise.all(keys.map(async (key) => fleet.bus.bucket("inventory").get(key)));
    return entries.every((entry) => /"available":0\b/.test(entry?.value ?? ""));
  });
  await sendsNothing(batch, "written although too many workloads are unavailable");
  fix();
  stage.fixed();
}

const atMostThree =
  "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 5s, readinessTimeout: 1h, maxUnavailable: 3 }\n";

/** Another executor has the batch while the first one, frozen with a patch in its hand, wakes. */
async function loseLockInBatch(batch: HeldBatch): Promise<void> {
  const { stage } = batch;
  const { fleet } = stage;
  const thaw = fleet.freeze("executor");
  const second = await startSlowWire(fleet.kube.url);
  try {
    const taken = second.holdPatches(1);
    const env = { MESHROLL_KUBECONFIG: writeKubeconfig(stage, second, "kubeconfig-of-second") };
    fleet.startService("executor", { as: "executor-2", env });
    const heldBySecond = await taken;
    thaw();
    await sendsNothing(batch, "written by an executor whose lock another one has");
    deepStrictEqual(fleet.writes.length, 0, "nothing is written yet");
    heldBySecond.release();
    stage.fixed();
    await stage.endsUndisturbed("well");
    // It goes on over its wire until the end.
    await fleet.terminate("executor-2");
  } finally {
    await second.close();
  }
}

/** What the executor must find out by itself between two patches of one batch. */
export const heldBatchFaults: readonly Fault[] = [
  {
    name: "stopped-in-batch",
    shows: "a stop that comes while a patch is in the executor's hand holds the rest of its batch",
    play: async (stage) => holdBatch(stage, stopInBatch),
  },
  {
    name: "planner-gone-in-batch",
    shows:
      "a planner that says nothing for half a minute: the rest of the batch in hand is not written until it is back",
    play: async (stage) => holdBatch(stage, losePlannerInBatch),
  },
  {
    name: "istiod-gone-in-batch",
    shows: "the target's istiod is not ready any more: the rest of the batch in hand is not written until it is",
    play: async (stage) => holdBatch(stage, loseIstiodInBatch),
  },
  {
    name: "drained-in-batch",
    shows: "pods of three workloads go at once: the rest of the batch in hand waits while maxUnavailable is reached",
    play: async (stage) => holdBatch(stage, drainInBatch, () => ({ "meshroll.yml": atMostThree })),
  },
  {
    name: "recreated-in-batch",
    shows: "a workload that is deleted and created again by its name is not moved by the batch that named the old one",
    play: async (stage) => holdBatch(stage, recreateInBatch),
  },
  {
    name: "cluster-swapped-in-batch",
    shows: "the kubeconfig leads to a copy of the cluster: the rest of the batch in hand is not written there",
    play: async (stage) => holdBatch(stage, swapClusterInBatch),
  },
  {
    name: "window-closed-in-batch",
    // The window opens again half a minute later.
    recovery: 30,
    shows: "a window with atEnd stop closes: the rest of the batch in hand is not written before it opens again",
    play: closeWindowInBatch,
  },
  {
    name: "lock-lost-in-batch",
    shows: "an executor that was frozen, and whose batch another one has, sends nothing of it when it wakes",
    play: async (stage) => holdBatch(stage, loseLockInBatch),
  },
];
