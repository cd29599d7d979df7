import { afterAll, beforeAll, describe } from "vitest";

import { openCluster } from "#libs/kube";

import { describeEvents } from "../../../libs/kube/conformance/events.ts";
import { describeMarks, type MarkGround, watchWorkload } from "../../../libs/kube/conformance/marks.ts";
import { openClock } from "#libs/runtime";
import { type OwnCluster, startCluster } from "../bed/start-cluster.ts";
import { logInAsExecutor } from "../fleet/executor-login.ts";
import { readEvents } from "../fleet/read-events.ts";
import { createWorkloads } from "../fleet/workloads.ts";
import { findPrograms } from "../programs/find-programs.ts";
import { kubeModule } from "../programs/modules.ts";

const finding = { env: process.env, log: () => undefined };
const ref = { namespace: "shop", kind: "Deployment", name: "web" } as const;

describe("the kube adapter on a real API server, by the RBAC and the admission policies that ship", () => {
  let [cluster, kubeconfig, uid]: [OwnCluster?, string?, string?] = [];
  beforeAll(async () => {
    cluster = await startCluster(await findPrograms(kubeModule, finding));
    cluster.kubectl(["create", "namespace", "istio-system"]);
    kubeconfig = logInAsExecutor(cluster);
    createWorkloads(cluster, { shop: {} }, [{ namespace: "shop", name: "web" }]);
    uid = cluster.kubectl(["-n", "shop", "get", "deployment", "web", "-o", "jsonpath={.metadata.uid}"]);
  });
  afterAll(async () => cluster?.end());

  describeEvents(async () => {
    const bed = cluster;
    if (bed === undefined || kubeconfig === undefined || uid === undefined) throw new Error("no cluster");
    const adapter = openCluster({ name: "one", kubeconfig: { path: kubeconfig }, clock: openClock(undefined) });
    return { cluster: adapter, ref, uid, read: (of) => readEvents(bed, of), close: async () => undefined };
  });

  describeMarks(async () => {
    const bed = cluster;
    if (bed === undefined || kubeconfig === undefined) throw new Error("no cluster");
    const adapter = openCluster({ name: "one", kubeconfig: { path: kubeconfig }, clock: openClock(undefined) });
    const watched = await watchWorkload(adapter, ref);
    const annotate: MarkGround["annotate"] = (annotations) => {
      const words = Object.entries(annotations).map(([key, value]) => (value === null ? `${key}-` : `${key}=${value}`));
      bed.kubectl(["-n", ref.namespace, "annotate", "deployment", ref.name, "--overwrite", ...words]);
    };
    return { cluster: adapter, ref, annotate, see: watched.see, close: async () => watched.end() };
  });
});
