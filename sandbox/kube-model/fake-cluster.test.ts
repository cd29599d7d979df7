import { expect, it } from "vitest";

import { toModelClock } from "./objects/clock.ts";
import { createModel } from "./create-model.ts";
import { fakeCluster } from "./fake-cluster.ts";
import { createStepClock } from "./state/step-clock.ts";

const LABELS = { "istio.io/rev": "1-29" };

it("a late watch shows our own write only after its time, and in order", async () => {
  const clock = createStepClock();
  const model = createModel({ clock });
  const ref = model.addDeployment({ ns: "shop", name: "web", labels: LABELS });
  const cluster = fakeCluster(model, "east", { lagMs: 100 });
  await cluster.start(() => undefined, new AbortController().signal);
  const see = () => cluster.view.namespaces.get("shop")?.workloads[0];
  const resourceVersion = see()?.resourceVersion ?? "";
  const outcome = await cluster.patchWorkload(ref, {
    resourceVersion,
    template: { labels: { "istio.io/rev": "1-31" } },
  });
  expect(outcome).toMatchObject({ kind: "written" });
  expect(see()?.resourceVersion).toBe(resourceVersion);
  clock.advance(99);
  expect(see()?.resourceVersion).toBe(resourceVersion);
  clock.advance(1);
  expect(see()).toMatchObject({ template: { labels: { "istio.io/rev": "1-31" } }, observedGeneration: 1 });
});

it("starts once an API server that is away is back", async () => {
  const clock = createStepClock();
  const model = createModel({ clock });
  model.addDeployment({ ns: "shop", name: "web" });
  model.faults.unavailableFor(30_000);
  const cluster = fakeCluster(model, "east");
  let started = false;
  const start = cluster.start(() => undefined, new AbortController().signal).then(() => void (started = true));
  await Promise.resolve();
  expect(started).toBe(false);
  expect(cluster.view.seenAtMonotonic()).toBe(Number.NEGATIVE_INFINITY);
  clock.advance(31_000);
  await start;
  expect(cluster.view.namespaces.get("shop")?.workloads).toHaveLength(1);
});

it("tells a burst of changes as one reconcile per namespace", async () => {
  const clock = createStepClock();
  const model = createModel({ clock });
  const ref = model.addDeployment({ ns: "shop", name: "web", replicas: 100 });
  const told: (string | undefined)[] = [];
  const cluster = fakeCluster(model, "east");
  await cluster.start((namespace) => told.push(namespace), new AbortController().signal);
  model.ownerApply(ref, { image: "registry.example/web:2" });
  clock.advance(60_000);
  await Promise.resolve();
  expect(told).toEqual(["shop"]);
});

it("says nothing after it was stopped", async () => {
  const clock = createStepClock();
  const model = createModel({ clock });
  const told: (string | undefined)[] = [];
  const stop = new AbortController();
  const cluster = fakeCluster(model, "east");
  await cluster.start((namespace) => told.push(namespace), stop.signal);
  stop.abort();
  model.addNamespace("shop");
  await Promise.resolve();
  expect(told).toEqual([]);
  expect(cluster.view.namespaces.has("shop")).toBe(false);
});

it("a model can live on a service's clock, and a cancelled timer never runs", async () => {
  const sleeps: { readonly ms: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      sleeps.push({ ms, wake: resolve });
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  const clock = toModelClock({ now: () => 7, elapsed: () => 0, monotonic: () => 0, sleep, sleepReal: sleep });
  const ran: string[] = [];
  const cancel = clock.schedule(1, () => ran.push("cancelled"));
  clock.schedule(5, () => ran.push("ran"));
  cancel();
  for (const { wake } of sleeps) wake();
  await Promise.all(sleeps.map(() => Promise.resolve()));
  expect({ ran, ms: sleeps.map(({ ms }) => ms), now: clock.now() }).toEqual({ ran: ["ran"], ms: [1, 5], now: 7 });
});
