import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runCli } from "#test/run-cli";

import { findTools } from "../../mutate/tools.ts";
import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { ClusterFleet } from "../fleet/cluster-fleet.ts";
import { createWorkloads, readInjected } from "../fleet/workloads.ts";
import { type ClusterProgram, findPrograms } from "../programs/find-programs.ts";
import { istioModule, kubeModule } from "../programs/modules.ts";
import { renderRevision } from "./istio-objects.ts";
import { type OwnMesh, startMesh } from "./start-mesh.ts";

const finding = { env: process.env, log: () => undefined };
/** The first two are installed by istioctl and Helm, without an istiod; the others are applied as istioctl renders them. */
const [byIstioctl, byHelm, before, after] = ["1-28", "1-29", "1-30", "1-31"];
const noPorts = { http: 1, webhooks: 1, grpc: 1, xds: 1, monitoring: 1 };
/** Kinds in which Istio's chart has objects of a revision. */
const kinds =
  "mutatingwebhookconfigurations,validatingwebhookconfigurations,horizontalpodautoscalers,deployments,services,configmaps," +
  "serviceaccounts,roles,rolebindings,clusterroles,clusterrolebindings";

interface Certificate {
  readonly verdict: string;
  readonly clusters: readonly {
    readonly delete?: readonly { readonly command: string; readonly objects: readonly string[] }[];
  }[];
}

/** A chart of what istioctl renders: its text has templates of its own, which Helm must not read. */
function writeChart(folder: string, istioctl: ClusterProgram): string {
  const chart = join(folder, "istiod-chart");
  mkdirSync(join(chart, "templates"), { recursive: true });
  const { others } = renderRevision(istioctl, byHelm, noPorts);
  // The account of the base chart is shared by all revisions.
  const own = others.split("---\n").filter((each) => !each.includes("name: istio-reader-service-account\n  namespace"));
  writeFileSync(join(chart, "rendered.yaml"), own.join("---\n"));
  writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: istiod\nversion: 1.0.0\n");
  writeFileSync(join(chart, "templates/all.yaml"), '{{ .Files.Get "rendered.yaml" }}\n');
  return chart;
}

/** A folder with these programs by the names that a person types. */
function writePath(folder: string, programs: Readonly<Record<string, ClusterProgram>>): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const [name, { path, prefix }] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec "${path}" ${prefix.join(" ")} "$@"\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

describe("what retire prints deletes a revision, on a real API server with the real helm, istioctl and kubectl", () => {
  let [opened, openedFleet, mesh]: [OwnCluster?, ClusterFleet?, OwnMesh?] = [];
  let path = "";
  const bed = (): OwnCluster => {
    if (opened === undefined) throw new Error("no cluster");
    return opened;
  };
  const type = (command: string): void => {
    const env = {
      ...process.env,
      PATH: `${path}${delimiter}${process.env["PATH"] ?? ""}`,
      KUBECONFIG: bed().kubeconfig,
    };
    const { status, stderr } = spawnSync("sh", ["-c", command], { env, input: "y\n", encoding: "utf8" });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };
  /** KWOK's pods do not say which proxies are connected to them, which would have to be known. */
  const end = (revision: string): void => {
    type(`kubectl -n istio-system scale deployment istiod-${revision} --replicas=0`);
    type(`kubectl -n istio-system wait pods -l app=istiod,istio.io/rev=${revision} --for=delete --timeout=60s`);
  };
  /** Objects of the mesh, except those of pods' namespaces. */
  const listAll = (): readonly string[] => {
    const columns = "custom-columns=K:.kind,N:.metadata.name";
    const listed = bed().kubectl(["-n", "istio-system", "get", kinds, "--no-headers", "-o", columns]);
    return listed
      .split("\n")
      .map((line) => line.trim().replaceAll(/\s+/gu, "/"))
      .filter((each) => each !== "" && !each.includes("/system:") && !each.includes("meshroll"));
  };
  const listOf = (revision: string) => listAll().filter((each) => each.includes(`-${revision}`));
  const retire = async (revision: string) => {
    const clusters = ["--kubeconfig", bed().kubeconfig, "--clusters", "one=bed"];
    const { env = {}, folder: cwd = "" } = openedFleet ?? {};
    const { code, stdout } = await runCli(["retire", revision, "-o", "json", ...clusters], { env, cwd });
    const certificate = code === 0 ? (JSON.parse(stdout) as Certificate) : undefined;
    return { code, deletions: certificate?.clusters[0]?.delete ?? [] };
  };

  beforeAll(async () => {
    const [kube, istio] = [await findPrograms(kubeModule, finding), await findPrograms(istioModule, finding)];
    const helm = (await findTools(finding, ["helm3"])).get("helm3") ?? "";
    opened = await startCluster(kube);
    path = writePath(bed().folder, {
      kubectl: kube("kubectl"),
      istioctl: istio("istioctl"),
      helm: { path: helm, prefix: [] },
    });
    mesh = await startMesh(bed(), istio, [before, after]);
    type(`helm install istiod-${byHelm} "${writeChart(bed().folder, istio("istioctl"))}" -n istio-system`);
    for (const revision of [byHelm, before]) end(revision);
    openedFleet = await ClusterFleet.open(bed(), { "rollouts.yml": `production:\n  ${after}: 100\n` });
  });
  afterAll(async () => {
    await openedFleet?.close();
    await opened?.end();
  });

  it("helm uninstall takes all of a revision that Helm installed, and nothing else", async () => {
    const others = listAll().filter((each) => !each.includes(`-${byHelm}`));
    const { code, deletions } = await retire(byHelm);
    expect([code, deletions.map(({ command }) => command)]).toEqual([
      0,
      [`helm uninstall istiod-${byHelm} -n istio-system # in cluster one`],
    ]);
    expect(deletions[0]?.objects.length).toBe(listOf(byHelm).length);
    for (const { command } of deletions) type(command);
    expect(listAll()).toEqual(others);
    expect((await retire(byHelm)).code).toBe(65);
  });

  it("kubectl delete takes exactly what it is printed with, and the other revision injects on", async () => {
    const others = listAll().filter((each) => !each.includes(`-${before}`));
    const { code, deletions } = await retire(before);
    expect([code, deletions.map(({ command }) => command.split(" ").slice(0, 2).join(" "))]).toEqual([
      0,
      ["kubectl delete", "kubectl delete"],
    ]);
    expect(deletions.flatMap(({ objects }) => objects).length).toBe(listOf(before).length);
    for (const { command, objects } of deletions) {
      const left = listOf(before).length;
      type(command);
      expect(listOf(before).length).toBe(left - objects.length);
    }
    expect(listAll()).toEqual(others);
    expect((await retire(before)).code).toBe(65);
    createWorkloads(bed(), { shop: {} }, [{ namespace: "shop", name: "web", labels: { "istio.io/rev": after } }]);
    expect(readInjected(bed(), { namespace: "shop", name: "web" })).toBe(after);
  });

  it("istioctl uninstall takes all of a revision that istioctl installed, and what all revisions share stays", async () => {
    // Else it would make the new revision the default one.
    mesh?.setTag("default", after);
    type(`istioctl install --set profile=minimal --set revision=${byIstioctl} -y --readiness-timeout 60s`);
    end(byIstioctl);
    const { code, deletions } = await retire(byIstioctl);
    expect([code, deletions.map(({ command }) => command)]).toEqual([
      0,
      [`istioctl uninstall --revision ${byIstioctl} # in cluster one`],
    ]);
    expect(deletions[0]?.objects.length).toBe(listOf(byIstioctl).length);
    const others = listAll().filter((each) => !each.includes(`-${byIstioctl}`));
    for (const { command } of deletions) type(command);
    await openedFleet?.until("they are gone", () => listOf(byIstioctl).length === 0);
    expect(listAll()).toEqual(others);
    expect(others).toContain("ServiceAccount/istio-reader-service-account");
  });
});
