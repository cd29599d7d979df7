import { describe, expect, it } from "vitest";

import { fakeCluster, type KubeModel } from "#fakes/kube";

import { enlargeModel } from "./enlarge-model.ts";
import { fillCluster } from "./fill-cluster.ts";

const plain = fillCluster(20, 3);
const enlarged = enlargeModel(plain);

async function readInventories(model: KubeModel) {
  const cluster = fakeCluster(model, "big");
  const stop = new AbortController();
  await cluster.start(() => undefined, stop.signal);
  const inventories = [...cluster.view.namespaces.values()];
  stop.abort();
  return inventories;
}

function listBytes(model: KubeModel, path: string): readonly number[] {
  const answer = model.api.handle({ method: "GET", path, query: new URLSearchParams(), user: "test" });
  if (answer === "lost") throw new Error("the model has no faults here");
  return (answer.body as { readonly items: readonly unknown[] }).items.map((item) => JSON.stringify(item).length);
}

describe("an enlarged model", () => {
  it("gives the executor the same inventory as the plain model", async () => {
    const inventories = await readInventories(enlarged);
    expect(inventories.flatMap(({ workloads }) => workloads)).toHaveLength(20 + 2);
    expect(inventories).toEqual(await readInventories(plain));
  });

  it.each([
    ["/apis/apps/v1/deployments", 22, 5_500, 7_500],
    ["/api/v1/pods", 20 * 3 + 2, 5_000, 10_000],
  ])("serves %s: %i objects as large as real ones", (path, wantCount, wantLeast, wantMost) => {
    const sizes = listBytes(enlarged, path);
    expect(sizes).toHaveLength(wantCount);
    expect(Math.min(...sizes)).toBeGreaterThan(wantLeast);
    expect(Math.max(...sizes)).toBeLessThan(wantMost);
  });

  it("adds the fields to the objects of a watch too", () => {
    const seen: object[] = [];
    const stop = enlarged.api.watch("/apis/apps/v1/deployments", "1000", ({ object }) => seen.push(object));
    stop();
    expect(seen).toHaveLength(22);
    expect(JSON.stringify(seen[5]).length).toBeGreaterThan(5_500);
  });
});
