import { lookUp } from "#libs/input";
import type { Workload } from "#libs/fleet";
import { type Remediation, collectMoveStops, type ExecutorSnapshot, planRemediation, evaluateFleet } from "#libs/plan";
import { nameWorkload, settingsOf } from "#libs/plan";

import { beginRollout, changeNamespace, changeWorkload } from "../cluster/change-object.ts";
import type { EventQueue } from "../clock/event-queue.ts";
import { findWorkload, type Mover } from "./mover.ts";
import type { SimulatedCluster } from "../cluster/simulated-cluster.ts";
import type { SimulatedEvent } from "../clock/simulated-event.ts";
import type { SimulationSnapshot } from "../cluster/simulation-world.ts";

/** More rounds at one time mean that an undo causes another one: a bug of ours, which must not loop. */
const longestChain = 1000;

/** The snapshot of an executor that reads main and control every second. */
function standWatch(snapshot: SimulationSnapshot, cluster: SimulatedCluster): ExecutorSnapshot | undefined {
  const reconcile = snapshot.reconcile();
  const judged = evaluateFleet(reconcile, snapshot.head).judged.get(cluster.name);
  if (judged === undefined) return undefined;
  const { head, ledger, now } = snapshot;
  const rolling = new Set([...judged.list("rolling")].map(({ key }) => key));
  const stops = collectMoveStops(ledger, [], reconcile.clusters.values(), undefined);
  const [control, claim] = ["fresh", "own"] as const;
  const files = { head, settings: head.settings, ledger };
  // Simulated workloads have no times, so none gives up its place.
  const pace = { rolledAt: new Map<string, number>(), elapsed: now };
  const places = { rolling, stalled: new Map<string, number>(), pace };
  return { ...files, control, claim, mainAgeMs: 0, now, stops, cluster: cluster.snapshot, judged, ...places };
}

/** The remediation by executors, planned by the same `planRemediation`. */
export class Remediator {
  readonly #snapshot: SimulationSnapshot;
  readonly #events: EventQueue<SimulatedEvent>;
  readonly #mover: Mover;

  constructor(snapshot: SimulationSnapshot, events: EventQueue<SimulatedEvent>, mover: Mover) {
    this.#snapshot = snapshot;
    this.#events = events;
    this.#mover = mover;
  }

  /** Annotates, undoes and retries until nothing is left to do at this time. */
  lookAfter(cluster: SimulatedCluster): void {
    for (let round = 0; round < longestChain; round += 1) {
      const snapshot = standWatch(this.#snapshot, cluster);
      if (snapshot === undefined) return;
      const { settings } = this.#snapshot.head;
      const { now } = this.#snapshot;
      const planned = planRemediation({ snapshot, settings, now, monotonic: now }, cluster.progress);
      cluster.progress = planned.progress;
      if (planned.remediations.length === 0) return;
      for (const remediation of planned.remediations) this.#write(cluster, remediation);
    }
    throw new Error(`bug: ${longestChain} rounds of remediation in ${cluster.name} without an end`);
  }

  #write(cluster: SimulatedCluster, remediation: Remediation): void {
    const { namespace: name } = remediation.judged.workload;
    const inventory = cluster.find(name);
    const workload = findWorkload(cluster, remediation.judged.key);
    if (inventory === undefined || workload === undefined) return;
    if (remediation.write.object === "namespace") {
      cluster.put({
        ...inventory,
        namespace: changeNamespace(inventory.namespace, remediation.write.change, cluster.pool),
      });
      return;
    }
    this.#writeWorkload(cluster, remediation, changeWorkload(workload, remediation.write.change, cluster.pool));
  }

  #writeWorkload(cluster: SimulatedCluster, remediation: Remediation, changed: Workload): void {
    const inventory = cluster.find(changed.namespace);
    if (inventory === undefined) return;
    const place = cluster.placeIn(inventory);
    if (remediation.kind === "retry") {
      cluster.putWorkloads([beginRollout({ ...changed, pods: dropUnready(changed) }, place)]);
      this.#mover.watch(cluster, remediation.run);
    } else if (remediation.reverts) {
      const { replicas, generation: observedGeneration } = changed;
      // The pods of the earlier template still serve, and the new one is removed.
      cluster.putWorkloads([{ ...changed, observedGeneration, updated: replicas, total: replicas + 1 }]);
      this.#mover.undo(cluster, changed);
    } else {
      cluster.putWorkloads([changed]);
      this.#giveUp(cluster, remediation, changed);
    }
  }

  /** A failed workload that is not put back keeps rolling for as long as an undo would take. */
  #giveUp(cluster: SimulatedCluster, { run }: Remediation, workload: Workload): void {
    const { head, ledger, now } = this.#snapshot;
    const { readinessTimeout } = settingsOf(head, lookUp(ledger.runs, run)).batch;
    const key = nameWorkload(workload);
    this.#events.add({ kind: "giveUp", at: now + readinessTimeout, cluster: cluster.name, key });
  }
}

/** A pod of the failed attempt is replaced by one of the next. */
function dropUnready({ pods }: Workload): Workload["pods"] {
  return pods.filter(({ ready }) => ready > 0);
}
