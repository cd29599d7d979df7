import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { onTestFailed, onTestFinished } from "vitest";

import { makeTestFolder } from "../../../agent/test-vm.ts";
import { startUpstream } from "../../vm/traffic/traffic.ts";
import type { OwnCluster } from "../bed/start-cluster.ts";
import { until } from "../bed/until.ts";
import type { ClusterPrograms } from "../programs/find-programs.ts";
import { type MeshVm, startVm } from "./start-vm.ts";
import { openArtifacts, type VmArtifacts } from "./vm-artifacts.ts";
import { describeVmObjects, type VmGroup, type VmPlace } from "./vm-objects.ts";

/** VMs of a real mesh: each has an agent, and the pilot-agent and Envoy that this starts. */
export interface VmBed {
  readonly artifacts: VmArtifacts;
  readonly vms: readonly MeshVm[];
}

interface BedSettings {
  readonly cluster: OwnCluster;
  readonly istio: ClusterPrograms;
  readonly groups: readonly (VmGroup & { readonly count: number })[];
  /** More variables for the agent of a VM. */
  readonly env?: (place: VmPlace) => Readonly<Record<string, string>>;
}

/** Lines of a log that are shown when a test fails. */
const shownLines = 40;

function choosePlaces(groups: BedSettings["groups"]): readonly VmPlace[] {
  return groups.flatMap((group, index) =>
    Array.from({ length: group.count }, (_, at) => ({
      group,
      name: `${group.name}-${at + 1}`,
      address: `127.70.${index + 1}.${at + 1}`,
    })),
  );
}

/** istiod writes its certificate's authority into each namespace. */
function hasAuthority(cluster: OwnCluster, namespace: string): boolean {
  const found = ["get", "configmap", "istio-ca-root-cert", "-n", namespace, "--ignore-not-found", "-o", "name"];
  return cluster.kubectl(found).trim() !== "";
}

/** The end of what a VM's agent and proxies printed. */
function readLog({ folder }: OwnCluster, name: string): string {
  const lines = readFileSync(join(folder, "logs", `agent-${name}.log`), "utf8")
    .trimEnd()
    .split("\n");
  return [`==> ${name}`, ...lines.slice(-shownLines)].join("\n");
}

/** Creates the groups, and starts the agents of their VMs, without tags. All ends with the test. */
export async function openVmBed({ cluster, istio, groups, env }: BedSettings): Promise<VmBed> {
  const folder = makeTestFolder();
  // Envoy may run as another user.
  chmodSync(folder, 0o755);
  const application = await startUpstream();
  const places = choosePlaces(groups);
  cluster.kubectl(["apply", "-f", "-"], describeVmObjects(groups, places, application));
  const namespaces = [...new Set(groups.map(({ namespace }) => namespace))];
  onTestFinished(() => void cluster.kubectl(["delete", "namespaces", ...namespaces]));
  for (const namespace of namespaces)
    await until(`${namespace} has istiod's authority`, () => hasAuthority(cluster, namespace));
  const artifacts = openArtifacts(folder, istio);
  const vms: MeshVm[] = [];
  onTestFailed(() => console.log(vms.map(({ name }) => readLog(cluster, name)).join("\n")));
  onTestFinished(async () => void (await Promise.all(vms.map(async (vm) => vm.end()))));
  for (const place of places) {
    vms.push(await startVm(folder, { cluster, artifacts, place, application, env: env?.(place) ?? {} }));
  }
  return { artifacts, vms };
}
