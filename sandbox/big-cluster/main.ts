import { parseArgs } from "node:util";

import { startKube } from "#sandbox/kube";

import { enlargeModel } from "./enlarge-model.ts";
import { fillCluster } from "./fill-cluster.ts";

// Serves one large cluster with objects of real size from a process of its own, for benches.
const { values } = parseArgs({
  options: { workloads: { type: "string", default: "10000" }, pods: { type: "string", default: "3" } },
});
const model = enlargeModel(fillCluster(Number(values.workloads), Number(values.pods)));
const server = await startKube({ model, name: "big" });

// A parent gets the kubeconfig. This process ends with it, so that a killed bench leaves no server behind.
if (process.send === undefined) console.log(server.kubeconfig());
else {
  process.on("disconnect", () => process.exit(0));
  const bytes = { deployment: weigh("/apis/apps/v1/deployments"), pod: weigh("/api/v1/pods") };
  process.send({ kubeconfig: server.kubeconfig(), bytes });
}

/** Mean size of the collection's first 100 objects, bytes of JSON. */
function weigh(path: string): number {
  const sample = 100;
  const answer = model.api.handle({ method: "GET", path, query: new URLSearchParams(`limit=${sample}`), user: "main" });
  if (answer === "lost") return 0;
  return JSON.stringify((answer.body as { readonly items: unknown }).items).length / sample;
}
