import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { parse, stringify } from "yaml";

import type { OwnCluster } from "../bed/start-cluster.ts";

const deploy = fileURLToPath(new URL("../../../deploy/chart/rights", import.meta.url));

interface Kubeconfig {
  users: { user: object }[];
}

/** Path of a new kubeconfig that logs in as this ServiceAccount. */
export function logInAs(cluster: OwnCluster, namespace: string, account: string): string {
  const token = cluster.kubectl(["create", "token", account, "-n", namespace, "--duration", "4h"]).trim();
  const config = parse(readFileSync(cluster.kubeconfig, "utf8")) as Kubeconfig;
  const users = config.users.map((each) => ({ ...each, user: { token } }));
  const file = join(cluster.folder, "executor.kubeconfig");
  writeFileSync(file, stringify({ ...config, users }), { mode: 0o600 });
  return file;
}

/**
 * Applies the shipped RBAC and admission policies; returns the path of a kubeconfig that logs in as the executor's
 * ServiceAccount.
 */
export function logInAsExecutor(cluster: OwnCluster): string {
  for (const name of ["rbac.yaml", "admission.yaml"])
    cluster.kubectl(["apply", "-f", "-"], readFileSync(join(deploy, name), "utf8"));
  return logInAs(cluster, "meshroll-system", "meshroll-executor");
}
