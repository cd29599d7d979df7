import { lookUp } from "#libs/input";
import type { Workload } from "#libs/fleet";
import { type Care, collectMoveStops, type ExecutorWorld, planCare, surveyFleet } from "#libs/plan";
import { nameWorkload, settingsOf } from "#libs/plan";

import { beginRollout, changeNamespace, changeWorkload } from "./change-object.ts";
import type { EventQueue } from "./event-queue.ts";
import { findWorkload, type Mover } from "./mover.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";
import type { SimulatedEvent } from "./simulated-event.ts";
import type { SimulationWorld } from "./simulation-world.ts";

/** More rounds than this in one moment mean that an undo asks for itself again: our bug, and nothing to loop on. */
const longestChain = 1000;

/** What an executor that reads main and control every second knows. */
function standWatch(world: SimulationWorld, cluster: SimulatedCluster): ExecutorWorld | undefined {
  const look = world.look();
  const judged = surveyFleet(look, world.head).judged.get(cluster.name);
  if (judged === undefined) return undefined;
  const { head, ledger, now } = world;
  const rolling = new Set([...judged.list("rolling")].map(({ key }) => key));
  const stops = collectMoveStops(ledger, [], look.clusters.values(), undefined);
  const [control, claim] = ["fresh", "own"] as const;
  const files = { head, settings: head.settings, ledger };
  const pace = { rolledAt: new Map<string, number>(), elapsed: now };
  // Simulated workloads tell no times: none gives its place up.
  const places = { rolling, stalled: new Map<string, number>(), pace };
  return { ...files, control, claim, mainAgeMs: 0, now, stops, cluster: cluster.world, judged, ...places };
}

/** What the executors do about what fails: by the same `planCare`. */
export class Carer {
  readonly #world: SimulationWorld;
  readonly #events: EventQueue<SimulatedEvent>;
  readonly #mover: Mover;

  constructor(world: SimulationWorld, events: EventQueue<SimulatedEvent>, mover: Mover) {
    this.#world = world;
    this.#events = events;
    this.#mover = mover;
  }

  /** Marks, undoes and tries again until nothing is left to do at this moment. */
  lookAfter(cluster: SimulatedCluster): void {
    for (let round = 0; round < longestChain; round += 1) {
      const world = standWatch(this.#world, cluster);
      if (world === undefined) return;
      const { settings } = this.#world.head;
      const { now } = this.#world;
      const cares = planCare({ world, settings, now, monotonic: now }, cluster.progress);
      if (cares.length === 0) return;
      for (const care of cares) this.#write(cluster, care);
    }
    throw new Error(`bug: ${longestChain} rounds of care in ${cluster.name} without an end`);
  }

  #write(cluster: SimulatedCluster, care: Care): void {
    const { namespace: name } = care.standing.workload;
    const inventory = cluster.find(name);
    const workload = findWorkload(cluster, care.standing.key);
    if (inventory === undefined || workload === undefined) return;
    if (care.write.object === "namespace") {
      cluster.put({ ...inventory, namespace: changeNamespace(inventory.namespace, care.write.change, cluster.pool) });
      return;
    }
    this.#writeWorkload(cluster, care, changeWorkload(workload, care.write.change, cluster.pool));
  }

  #writeWorkload(cluster: SimulatedCluster, care: Care, changed: Workload): void {
    const inventory = cluster.find(changed.namespace);
    if (inventory === undefined) return;
    const place = cluster.placeIn(inventory);
    if (care.kind === "retry") {
      cluster.putWorkloads([beginRollout({ ...changed, pods: dropUnready(changed) }, place)]);
      this.#mover.watch(cluster, care.run);
    } else if (care.reverts) {
      const { replicas, generation: observedGeneration } = changed;
      // The pods of the template before serve still, and the new one goes.
      cluster.putWorkloads([{ ...changed, observedGeneration, updated: replicas, total: replicas + 1 }]);
      this.#mover.undo(cluster, changed);
    } else {
      cluster.putWorkloads([changed]);
      this.#giveUp(cluster, care, changed);
    }
  }

  /** What stays as it failed rolls on, for as long as an undo would get. */
  #giveUp(cluster: SimulatedCluster, { run }: Care, workload: Workload): void {
    const { head, ledger, now } = this.#world;
    const { readinessTimeout } = settingsOf(head, lookUp(ledger.runs, run)).batch;
    const key = nameWorkload(workload);
    this.#events.add({ kind: "giveUp", at: now + readinessTimeout, cluster: cluster.name, key });
  }
}

/** A pod of the try before is replaced by one of the next. */
function dropUnready({ pods }: Workload): Workload["pods"] {
  return pods.filter(({ ready }) => ready > 0);
}
