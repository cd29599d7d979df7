import { describe } from "vitest";

import { describeAdmission } from "./conformance/admission.ts";
import { describeArgoRollouts } from "./conformance/argo-rollouts.ts";
import { type Bench, createWaits } from "./conformance/bench.ts";
import { describeEvents, type EventGround } from "./conformance/events.ts";
import { describeInjection } from "./conformance/mesh/injection.ts";
import { describeIstiods } from "./conformance/mesh/istiods.ts";
import { describeMarks, type MarkGround, watchWorkload } from "./conformance/marks.ts";
import { describeProxies } from "./conformance/mesh/proxies.ts";
import { describeReads } from "./conformance/reads.ts";
import { describeRecords } from "./conformance/records.ts";
import { describeRollouts } from "./conformance/rollouts.ts";
import { describeStalls } from "./conformance/stalls.ts";
import { describeVmCollections } from "./conformance/vms/vm-collections.ts";
import { describeVmGroups, type VmGround } from "./conformance/vms/vm-groups.ts";
import { describeWrites } from "./conformance/writes.ts";

export type { Bench, Ground } from "./conformance/bench.ts";

/**
 * The behaviour that every implementation of `Cluster` must have. `make` returns a new one, not started, and access to the
 * cluster behind it.
 */
export function describeCluster(name: string, make: () => Promise<Bench>): void {
  describe(`cluster: ${name}`, () => {
    describe("reading", () => {
      describeReads(make);
    });
    describe("istiods", () => {
      describeIstiods(make);
    });
    describe("injection", () => {
      describeInjection(make);
    });
    describe("proxies", () => {
      describeProxies(make);
    });
    describe("admission", () => {
      describeAdmission(make);
    });
    describe("rollouts", () => {
      describeRollouts(make);
    });
    describe("Argo Rollouts", () => {
      describeArgoRollouts(make);
    });
    describe("silence", () => {
      describeStalls(make);
    });
    describe("events", () => {
      describeEvents(async () => groundEvents(await make()));
    });
    describe("marks", () => {
      describeMarks(async () => groundMarks(await make()));
    });
    describe("records", () => {
      describeRecords(make);
    });
    describe("VMs", () => {
      describeVmGroups(async () => groundVms(await make()));
      describeVmCollections(make);
    });
    describe("writing", () => {
      describeWrites(make);
    });
  });
}

/** A workload in the cluster that Events can be about. */
async function groundEvents(bench: Bench): Promise<EventGround> {
  const { cluster, ground } = bench;
  ground.addIstiod("1-31");
  const ref = ground.addDeployment({ ns: "shop", name: "web", labels: { "istio.io/rev": "1-31" } });
  const stop = new AbortController();
  await cluster.start(() => undefined, stop.signal);
  const [workload] = cluster.view.namespaces.get("shop")?.workloads ?? [];
  return {
    cluster,
    ref,
    uid: workload?.uid ?? "",
    read: (of) => ground.eventsOf(of),
    close: async () => {
      stop.abort();
      await bench.close();
    },
  };
}

/** A workload in the cluster with two field managers. */
async function groundMarks(bench: Bench): Promise<MarkGround> {
  const { cluster, ground } = bench;
  const ref = ground.addDeployment({ ns: "shop", name: "web" });
  const watched = await watchWorkload(cluster, ref);
  return {
    cluster,
    ref,
    annotate: (annotations) => ground.ownerApply(ref, { annotations }, { manager: "kubectl-annotate" }),
    see: watched.see,
    close: async () => {
      watched.end();
      await bench.close();
    },
  };
}

/** A WorkloadGroup in the cluster whose VMs register themselves. */
async function groundVms(bench: Bench): Promise<VmGround> {
  const { cluster, ground } = bench;
  const ref = ground.addWorkloadGroup({ ns: "shop", name: "tills" });
  const stop = new AbortController();
  const waits = createWaits();
  const known = new Set<string>();
  await cluster.start(waits.check, stop.signal);
  return {
    cluster,
    ref,
    annotate: (annotations) => ground.ownerApply(ref, { annotations }, { manager: "kubectl-annotate" }),
    register: (name, address, healthy) => {
      if (!known.has(name)) ground.addWorkloadEntry({ ns: "shop", name, address, group: ref.name });
      known.add(name);
      ground.setEntryHealth("shop", name, healthy);
    },
    unregister: (name) => ground.deleteWorkloadEntry("shop", name),
    until: waits.until,
    close: async () => {
      stop.abort();
      await bench.close();
    },
  };
}
