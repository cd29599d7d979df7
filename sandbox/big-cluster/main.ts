import { parseArgs } from "node:util";

import { startKube } from "#sandbox/kube";

import { dressModel } from "./dress-model.ts";
import { fillCluster } from "./fill-cluster.ts";

// Serves one large cluster with objects of real size in a process of its own: what benches measure against.
//   node sandbox/big-cluster/main.ts --workloads 10000 --pods 3
const { values } = parseArgs({
  options: { workloads: { type: "string", default: "10000" }, pods: { type: "string", default: "3" } },
});
const model = fillCluster(Number(values.workloads), Number(values.pods));
const server = await startKube({ model: dressModel(model), name: "big" });

// A parent gets the kubeconfig, and its end is ours: a bench that is killed leaves no server behind.
if (process.send === undefined) console.log(server.kubeconfig());
else {
  process.on("disconnect", () => process.exit(0));
  process.send({ kubeconfig: server.kubeconfig() });
}
