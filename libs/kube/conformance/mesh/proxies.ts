import { expect, it } from "vitest";

import { type Bench, useBench } from "../bench.ts";

const OLD = "1-29";
const LABELS = { "istio.io/rev": OLD };

/** The images of sidecars, and pods that an Argo Rollout makes from a Deployment's template. */
export function describeProxies(make: () => Promise<Bench>): void {
  const bench = useBench(make);

  it("tells the image of a sidecar only where it is not its revision's usual one", async () => {
    bench.ground.addIstiod(OLD);
    const plain = bench.ground.addDeployment({ ns: "shop", name: "plain", replicas: 2, labels: LABELS });
    const pin = { "sidecar.istio.io/proxyImage": "own/proxyv2:1" };
    const pinned = bench.ground.addDeployment({ ns: "shop", name: "pinned", labels: LABELS, annotations: pin });
    const written = bench.ground.addDeployment({
      ns: "shop",
      name: "own",
      labels: LABELS,
      proxyImage: "own/proxyv2:2",
    });
    await bench.start();
    expect(bench.cluster.view.facts().revisions[0]?.proxyImage).toBe("docker.io/istio/proxyv2:1.29");
    const images = [plain, pinned, written].map((ref) => bench.see(ref)?.pods[0]?.image);
    expect(images).toEqual([undefined, "own/proxyv2:1", "own/proxyv2:2"]);
    expect(bench.see(written)?.template.proxyImage).toBe("own/proxyv2:2");
    const changed = bench.ground.addDeployment({
      ns: "shop",
      name: "many",
      replicas: 9,
      labels: LABELS,
      proxyImage: "own/proxyv2:2",
    });
    await bench.until(() => bench.cluster.view.facts().revisions[0]?.proxyImage === "own/proxyv2:2");
    expect([changed, plain].map((ref) => bench.see(ref)?.pods[0]?.image)).toEqual([
      undefined,
      "docker.io/istio/proxyv2:1.29",
    ]);
  });

  it("knows a Deployment by the live pods of an Argo Rollout that its selector matches, as long as there is one", async () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-5c9f" };
    const labels = { app: "web", "rollouts-pod-template-hash": "5c9f" };
    const web = bench.ground.addDeployment({ ns: "shop", name: "web", replicas: 0, labels: LABELS });
    const api = bench.ground.addDeployment({ ns: "shop", name: "api", replicas: 0, labels: LABELS });
    for (const name of ["a", "b"]) bench.ground.addPod({ ns: "shop", name, labels, owner });
    await bench.start();
    expect([web, api].map((ref) => bench.see(ref)?.managedByRollout)).toEqual([true, undefined]);
    bench.ground.deletePod("shop", "a");
    bench.ground.endPod("shop", "b", "Succeeded");
    await bench.until(() => bench.see(web)?.managedByRollout === undefined);
  });
}
