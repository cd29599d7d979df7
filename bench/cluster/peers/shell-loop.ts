import { spawn } from "node:child_process";
import { once } from "node:events";

import type { OwnCluster } from "../../../test/cluster/bed/start-cluster.ts";
import type { ClusterPrograms } from "../../../test/cluster/programs/find-programs.ts";
import { after, type Part } from "../fleet.ts";

/** One line of the loop: a Deployment's namespace and name are `$0` and `$1`. */
const script = [
  "$KUBECTL --kubeconfig $KUBECONFIG -n $0 rollout restart deployment/$1",
  "$KUBECTL --kubeconfig $KUBECONFIG -n $0 rollout status deployment/$1 --timeout=5m",
].join(" && ");

/** As at a prompt: relabel the namespaces, then `kubectl rollout restart` and `rollout status` of each, N at a time by xargs. */
export async function runShellLoop(
  cluster: Pick<OwnCluster, "kubectl" | "kubeconfig">,
  programs: ClusterPrograms,
  { deployments }: Part,
  atOnce: number,
): Promise<void> {
  const namespaces = [...new Set(deployments.map(({ namespace }) => namespace))];
  cluster.kubectl(["label", "--overwrite", "namespace", ...namespaces, `istio.io/rev=${after}`]);
  const { path, prefix } = programs("kubectl");
  const env = { ...process.env, KUBECTL: [path, ...prefix].join(" "), KUBECONFIG: cluster.kubeconfig };
  const args = ["-P", String(atOnce), "-L", "1", "sh", "-c", script];
  const loop = spawn("xargs", args, { env, stdio: ["pipe", "ignore", "inherit"] });
  loop.stdin.end(deployments.map(({ namespace, name }) => `${namespace} ${name}\n`).join(""));
  const [code] = (await once(loop, "exit")) as [number | null];
  if (code !== 0) throw new Error(`xargs ended with ${code}`);
}
