import { createModel, createStepClock, fakeCluster } from "#fakes/kube";
import { expect, test } from "vitest";

import { createPendingWrites } from "./pending-writes.ts";

const ref = { namespace: "shop", kind: "Deployment", name: "web" } as const;

/** A cluster whose watch is 1 s late. */
async function makeBench() {
  const clock = createStepClock();
  const model = createModel({ clock });
  model.addIstiod("old");
  model.addIstiod("new");
  model.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": "old" } });
  const cluster = fakeCluster(model, "one", { lagMs: 1000 });
  const stop = new AbortController();
  await cluster.start(() => undefined, stop.signal);
  const write = async () => {
    const resourceVersion = cluster.view.namespaces.get("shop")?.workloads[0]?.resourceVersion ?? "";
    const outcome = await cluster.patchWorkload(ref, {
      resourceVersion,
      template: { labels: { "istio.io/rev": "new" } },
    });
    if (outcome.kind !== "written") throw new Error(outcome.kind);
    return outcome.resourceVersion;
  };
  return { clock, model, cluster, write, pending: createPendingWrites(cluster) };
}

test("4.2 a write counts until the watch has shown it", async () => {
  const { clock, write, pending } = await makeBench();
  pending.add(ref, await write());
  const before = [[...pending.keys()], pending.has(ref)];
  clock.advance(1000);
  expect(before).toEqual([["shop/Deployment/web"], true]);
  expect([[...pending.keys()], pending.has(ref)]).toEqual([[], false]);
});

test("4.2 a workload that was deleted meanwhile does not count", async () => {
  const { clock, model, write, pending } = await makeBench();
  pending.add(ref, await write());
  model.deleteWorkload(ref);
  clock.advance(1000);
  expect([...pending.keys()]).toEqual([]);
});

test("4.2 a resourceVersion that is not a number counts until exactly it is shown", async () => {
  const { pending } = await makeBench();
  pending.add(ref, "opaque");
  expect(pending.has(ref)).toBe(true);
});

test("4.2 writes to another cluster do not count", async () => {
  const { write, pending } = await makeBench();
  pending.add(ref, await write());
  expect(pending.has({ ...ref, name: "other" })).toBe(false);
});
