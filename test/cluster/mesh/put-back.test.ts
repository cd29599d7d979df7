import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runCli } from "#test/run-cli";

import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected, type Workload } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
const [before, after] = ["1-30", "1-31"];
const file = (revision: string) => `production:\n  ${revision}: 100\n`;
const settingsOf = (more: string) =>
  `defaults:\n  batch: { batchSize: 5, delayBetweenBatches: 1s, readinessTimeout: 60s }\n${more}`;

const labels = { "istio.io/rev": before };
const workloads: readonly Workload[] = [
  { namespace: "shop", name: "web", replicas: 2, labels },
  { namespace: "shop", name: "api", replicas: 2, labels },
  { namespace: "shop", name: "db", kind: "StatefulSet", replicas: 2, labels },
];

describe("a finished run that owners' manifests put back, on a real control plane with two real istiods", () => {
  let [cluster, fleet]: [OwnCluster?, ClusterFleet?] = [];
  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    await startMesh(cluster, await findPrograms(istioModule, finding), [before, after]);
    createWorkloads(cluster, { shop: {} }, workloads);
    fleet = await ClusterFleet.open(cluster, { "rollouts.yml": file(before), "meshroll.yml": settingsOf("") });
    await fleet.merge({ "rollouts.yml": file(after) });
    await fleet.untilRunEnds();
  });
  afterAll(async () => {
    await fleet?.close();
    await cluster?.end();
  });

  function requireBed(): { readonly cluster: OwnCluster; readonly fleet: ClusterFleet } {
    if (cluster === undefined || fleet === undefined) throw new Error("no cluster");
    return { cluster, fleet };
  }

  const injected = () => workloads.map((each) => readInjected(requireBed().cluster, each));
  const all = (revision: string) => workloads.map(() => revision);

  /** Applies the manifests with the old label again, as a pipeline does. */
  async function applyAgain(): Promise<void> {
    createWorkloads(requireBed().cluster, { shop: {} }, workloads);
    await requireBed().fleet.until("their pods run the old one", () => injected().join() === all(before).join());
  }

  it("one `kubectl apply` puts the old label back; status says how many, and converge brings exactly those back", async () => {
    const bed = requireBed();
    expect(injected()).toEqual(all(after));
    await applyAgain();
    await bed.fleet.until("status says it", async () => (await bed.fleet.status())?.putBack?.workloads === 3);
    const { message } = (await bed.fleet.status())?.putBack ?? {};
    const { env, folder } = bed.fleet;
    const asked = await runCli(["converge", "-n", "shop", "-y", "--reason", "their pipeline"], { env, cwd: folder });
    const run = await bed.fleet.untilRunEnds(2);

    expect(message).toMatch(/^3 workloads were put back by their owners' deploys since run [0-9a-f]{12}$/u);
    expect({ code: asked.code, stderr: asked.stderr }).toEqual({ code: 0, stderr: "" });
    expect(asked.stdout.replaceAll(/\s+/gu, " ")).toContain("Overwritten by kubectl-client-side-apply");
    expect(run.outcome).toMatchObject({ migrated: 3, skipped: [] });
    expect(injected()).toEqual(all(after));
  });

  it("`kubectl rollout undo` is told with its manager, explain gives no tick, and converge brings that one back", async () => {
    const bed = requireBed();
    const { env, folder: cwd } = bed.fleet;
    const web = workloads.filter(({ name }) => name === "web");
    const read = () => web.map((each) => readInjected(bed.cluster, each)).join();
    bed.cluster.kubectl(["-n", "shop", "rollout", "undo", "deployment/web"]);
    await bed.fleet.until("its pods run the old one", () => read() === before);
    await bed.fleet.until("status says it", async () => (await bed.fleet.status())?.putBack?.workloads === 1);
    const { managers } = (await bed.fleet.status())?.putBack ?? {};
    const listed = await runCli(["get", "drift", "-o", "wide"], { env, cwd });
    const explained = await runCli(["explain", "shop"], { env, cwd });
    const asked = await runCli(["converge", "shop/deploy/web", "-y", "--reason", "an undo"], { env, cwd });
    const run = await bed.fleet.untilRunEnds(3);

    expect(managers).toMatchObject([{ manager: "kubectl", end: expect.stringContaining("rollout undo") as string }]);
    expect([listed.stdout, explained.stdout].map((text) => text.includes("kubectl"))).toEqual([true, true]);
    expect(explained.stdout).not.toContain("✔ 1-31");
    expect(explained.stdout).toContain("meshroll converge");
    expect({ code: asked.code, stderr: asked.stderr }).toEqual({ code: 0, stderr: "" });
    expect([run.outcome?.migrated, read(), injected().join()]).toEqual([1, after, all(after).join()]);
  });

  it("with drift: converge it ends by itself; a manager that puts it back again within a day is only named", async () => {
    const bed = requireBed();
    await bed.fleet.merge({ "meshroll.yml": settingsOf("  drift: converge\n") });
    await applyAgain();
    await bed.fleet.until("they are back by themselves", () => injected().join() === all(after).join());
    await bed.fleet.untilRunEnds(4);
    await applyAgain();
    const insists = async () => (await bed.fleet.status())?.putBack?.insists;
    await bed.fleet.until("status names who insists", async () => (await insists()) !== undefined);

    expect(await insists()).toContain(
      "3 of them were put back a second time within a day, by kubectl-client-side-apply",
    );
    expect((await bed.fleet.status())?.runs).toEqual([]);
    expect(injected()).toEqual(all(before));
  });
});
