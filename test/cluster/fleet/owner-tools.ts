import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { stringify } from "yaml";

import { findTools } from "../../mutate/tools.ts";
import type { OwnCluster } from "../bed/start-cluster.ts";
import type { ClusterPrograms } from "../programs/find-programs.ts";

/** What an owner deploys: a Deployment of one container. */
export interface OwnerDeploy {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
  /** The label `istio.io/rev` of its manifest; absent = the manifest does not name it. */
  readonly revision?: string | undefined;
}

/** What the tool said, in one line; `ok`: it ended with 0. */
export interface Said {
  readonly ok: boolean;
  readonly text: string;
}

/** A way in which owners deploy, by the real program. */
export interface OwnerTool {
  readonly deploy: (wanted: OwnerDeploy) => Said;
  /** The same where the API server refused it because the field has another manager. */
  readonly force: (wanted: OwnerDeploy) => Said;
  /** Brings back what was deployed first; absent = the tool keeps no releases. */
  readonly rollback?: (of: Pick<OwnerDeploy, "namespace" | "name">) => Said;
}

export type OwnerToolName = "helm3" | "helm4" | "helm4Client" | "apply" | "applyServer";

const template = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  selector: { matchLabels: { app: {{ .Release.Name }} } }
  template:
    metadata:
      labels:
        app: {{ .Release.Name }}
        {{- with .Values.revision }}
        istio.io/rev: {{ . | quote }}
        {{- end }}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{ name: app, image: {{ .Values.image }} }]
`;

function writeChart(folder: string): string {
  const chart = join(folder, "owner-chart");
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: owner\nversion: 1.0.0\n");
  writeFileSync(join(chart, "templates/deployment.yaml"), template);
  return chart;
}

/** The same Deployment as the chart's. */
function describeDeployment({ namespace, name, image, revision }: OwnerDeploy): string {
  const labels = { app: name, ...(revision === undefined ? {} : { "istio.io/rev": revision }) };
  const spec = { terminationGracePeriodSeconds: 1, containers: [{ name: "app", image }] };
  return stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: { selector: { matchLabels: { app: name } }, template: { metadata: { labels }, spec } },
  });
}

function runTool(path: string, args: readonly string[], env: NodeJS.ProcessEnv, input = ""): Said {
  const { status, stdout, stderr, error } = spawnSync(path, args, { env, input, encoding: "utf8" });
  if (error !== undefined) throw error;
  return { ok: status === 0, text: (status === 0 ? stdout : stderr).trim().replaceAll(/\s+/gu, " ") };
}

function openHelm(cluster: OwnCluster, path: string, chart: string, settings: readonly string[]): OwnerTool {
  const home = join(cluster.folder, "helm");
  const folders = { HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  const env = { ...process.env, ...folders, KUBECONFIG: cluster.kubeconfig };
  const upgrade = ({ namespace, name, image, revision = "" }: OwnerDeploy, more: readonly string[]): Said => {
    const values = ["--set-string", `image=${image},revision=${revision}`];
    return runTool(path, ["upgrade", "--install", name, chart, "-n", namespace, ...values, ...more], env);
  };
  return {
    deploy: (wanted) => upgrade(wanted, settings),
    force: (wanted) => upgrade(wanted, [...settings, "--force-conflicts"]),
    rollback: ({ namespace, name }) => runTool(path, ["rollback", name, "1", "-n", namespace, ...settings], env),
  };
}

function openApply(cluster: OwnCluster, programs: ClusterPrograms, flags: readonly string[]): OwnerTool {
  const { path, prefix } = programs("kubectl");
  const apply = (wanted: OwnerDeploy, more: readonly string[]): Said => {
    const args = [...prefix, "--kubeconfig", cluster.kubeconfig, "apply", ...flags, ...more, "-f", "-"];
    return runTool(path, args, process.env, describeDeployment(wanted));
  };
  return { deploy: (wanted) => apply(wanted, []), force: (wanted) => apply(wanted, ["--force-conflicts"]) };
}

/** The tools by which owners deploy, each with its defaults but for what its name says. Throws `ProgramsMissing`. */
export async function openOwnerTools(
  cluster: OwnCluster,
  programs: ClusterPrograms,
): Promise<Readonly<Record<OwnerToolName, OwnerTool>>> {
  const helms = await findTools({ env: process.env, log: () => undefined }, ["helm3", "helm4"]);
  const [helm3 = "", helm4 = ""] = [helms.get("helm3"), helms.get("helm4")];
  const chart = writeChart(cluster.folder);
  return {
    helm3: openHelm(cluster, helm3, chart, []),
    helm4: openHelm(cluster, helm4, chart, []),
    helm4Client: openHelm(cluster, helm4, chart, ["--server-side=false"]),
    apply: openApply(cluster, programs, []),
    applyServer: openApply(cluster, programs, ["--server-side"]),
  };
}
