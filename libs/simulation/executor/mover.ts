import { lookUp } from "#libs/input";
import type { NamespaceInventory, VmCounts, Workload } from "#libs/fleet";
import { isRollingByOwner, isRollingByUs } from "#libs/fleet";
import { type Batch, nameInFleet, nameWorkload, parseWorkloadName, settingsOf, type Evaluation } from "#libs/plan";

import { beginVmMove } from "../cluster/vm-groups.ts";
import { beginRollout, endRollout, endUndo, type Place, replaceWorkloads } from "../cluster/change-object.ts";
import type { EventQueue } from "../clock/event-queue.ts";
import { type InjectedFailure, isDoomed } from "./failures.ts";
import { type Patched, patchBatch } from "./patch-batch.ts";
import type { SimulatedCluster } from "../cluster/simulated-cluster.ts";
import type { SimulatedEvent } from "../clock/simulated-event.ts";
import type { SimulationSnapshot } from "../cluster/simulation-world.ts";
import { drawReady, type Timing } from "../clock/timing.ts";

/** What is random or injected: durations and failures. */
export interface Chance {
  readonly seed: string;
  readonly timing: Timing;
  readonly failures: readonly InjectedFailure[];
}

/** Called for each move, for the answer. */
export interface MoveListener {
  handedOut(batch: Batch): void;
  settled(run: string): void;
}

/** The workloads of a batch when it settles. Until then nothing shows how far it is. */
interface Settlement extends Patched {
  readonly run: string;
}

/** The executors of a simulation, and the workloads' controllers. */
export class Mover {
  readonly #snapshot: SimulationSnapshot;
  readonly #events: EventQueue<SimulatedEvent>;
  readonly #chance: Chance;
  readonly #listener: MoveListener;
  readonly #settlements = new Map<string, Settlement>();
  /** By cluster: rollouts that ended and are not published yet; `true` for undos. */
  readonly #ended = new Map<string, Map<string, boolean>>();
  /** By name in the fleet: the run whose move is rolling. */
  readonly #migrating = new Map<string, string>();

  constructor(
    snapshot: SimulationSnapshot,
    events: EventQueue<SimulatedEvent>,
    chance: Chance,
    listener: MoveListener,
  ) {
    this.#snapshot = snapshot;
    this.#events = events;
    this.#chance = chance;
    this.#listener = listener;
  }

  /** Ends the rollouts that were in progress at the start of the simulation. */
  finishWhatRolls(): void {
    for (const cluster of this.#snapshot.clusters.values()) {
      for (const { workloads } of cluster.snapshot.namespaces.values()) {
        for (const each of workloads) {
          if (isRollingByUs(each) || isRollingByOwner(each))
            this.#scheduleEnd(cluster, each, nameWorkload(each), { attempt: 1, isUndo: false });
        }
      }
    }
  }

  /** How many rollouts are in progress, including batches in hand. */
  get isAtWork(): boolean {
    return this.#migrating.size > 0 || this.#settlements.size > 0;
  }

  /** Patches a whole batch at once: patches take milliseconds, and restarts minutes. */
  handOut(batch: Batch, { judged: fleet, views }: Evaluation): void {
    const cluster = this.#snapshot.clusters.get(batch.cluster);
    const judged = fleet.get(batch.cluster);
    if (cluster === undefined || judged === undefined) return;
    const own = views.find(({ run }) => run.id === batch.run)?.clusters.get(batch.cluster);
    cluster.left = (own?.count(["pending"]) ?? 0) - batch.items.length;
    const patched = patchBatch(cluster, batch, judged);
    if (patched.workloads.length === 0)
      throw new Error(`bug: no workload of a batch in ${batch.cluster} can be written`);
    this.#listener.handedOut(batch);
    const doomed = this.#listDoomed(batch, patched);
    const hasVms = patched.workloads.some(({ before }) => before.vms !== undefined);
    if (batch.strategy === "Batched" && doomed.length === 0 && !hasVms) this.#settleLater(cluster, batch, patched);
    else this.#rollEach(cluster, batch, patched, new Set(doomed));
  }

  /** The workloads whose pods never become ready: injected failures, and those that were unhealthy before. */
  #listDoomed({ run }: Batch, { workloads }: Patched): readonly string[] {
    const { failures } = this.#chance;
    const stage = lookUp(this.#snapshot.ledger.runs, run)?.stage;
    return workloads
      .filter(({ item, key }) => item.unhealthyBefore || (failures.length > 0 && isDoomed(failures, key, stage)))
      .map(({ key }) => key);
  }

  #draw({ name }: SimulatedCluster, { replicas, vms }: Workload, key: string, attempt: number): number {
    if (replicas === 0) return 0;
    const restart = drawReady(this.#chance.timing, this.#chance.seed, nameInFleet(name, key), attempt);
    return vms === undefined ? restart : this.#estimateVms(restart, replicas, vms);
  }

  /** The VMs of a group take turns, as many at once as may be unavailable, and over the deadline at least. */
  #estimateVms(restart: number, replicas: number, { allowed }: VmCounts): number {
    const turns = Math.ceil(replicas / Math.max(1, allowed));
    return Math.max(this.#snapshot.head.settings.vms.deadline, turns * restart);
  }

  /** A batch without failures is one event: while it is in hand, no decision depends on its progress. */
  #settleLater(cluster: SimulatedCluster, batch: Batch, patched: Patched): void {
    let longest = 0;
    for (const { before, key, item } of patched.workloads) {
      longest = Math.max(longest, this.#draw(cluster, before, key, item.attempt));
    }
    cluster.hold({ batch, open: patched.workloads.map(({ key }) => key) });
    this.#settlements.set(cluster.name, { ...patched, run: batch.run });
    this.#events.add({
      kind: "settle",
      at: this.#snapshot.now + longest + this.#chance.timing.reaction,
      cluster: cluster.name,
    });
  }

  settle(cluster: SimulatedCluster): void {
    const settlement = this.#settlements.get(cluster.name);
    if (settlement === undefined) return;
    this.#settlements.delete(cluster.name);
    this.#relabel(cluster, settlement);
    cluster.changeWorkloads(settlement.workloads, ({ before, written }, place) => endRollout(before, place, written));
    cluster.release(this.#snapshot.now);
    this.#listener.settled(settlement.run);
  }

  #relabel(cluster: SimulatedCluster, { namespaces }: Patched): void {
    for (const [name, namespace] of namespaces) {
      const inventory = cluster.find(name);
      if (inventory !== undefined) cluster.put({ ...inventory, namespace });
    }
  }

  /** One event for each workload: the next reconcile depends on the progress, or one of them fails. */
  #rollEach(cluster: SimulatedCluster, batch: Batch, patched: Patched, doomed: ReadonlySet<string>): void {
    this.#relabel(cluster, patched);
    for (const { key, before, item } of patched.workloads) {
      cluster.originals.set(key, before);
      this.#migrating.set(nameInFleet(cluster.name, key), batch.run);
      cluster.rolling += 1;
      if (!doomed.has(key)) this.#scheduleEnd(cluster, before, key, { attempt: item.attempt, isUndo: false });
    }
    cluster.changeWorkloads(patched.workloads, ({ before, written, key }, place) => {
      const now = { ...before, ...written };
      return before.vms === undefined ? beginRollout(now, place) : beginVmMove(now, doomed.has(key));
    });
    // A group of VMs takes no place: the next batch does not wait for it.
    const open = patched.workloads.filter(({ before }) => before.vms === undefined).map(({ key }) => key);
    if (batch.strategy === "Batched" && open.length > 0) cluster.hold({ batch, open: new Set(open) });
    else cluster.release(this.#snapshot.now);
    if (open.length === 0) this.#publishLater(cluster.name);
    if (doomed.size > 0) this.watch(cluster, batch.run);
  }

  #scheduleEnd(
    cluster: SimulatedCluster,
    workload: Workload,
    key: string,
    { attempt, isUndo }: { readonly attempt: number; readonly isUndo: boolean },
  ): void {
    const took = isUndo ? this.#chance.timing.undo : this.#draw(cluster, workload, key, attempt);
    this.#events.add({ kind: "end", at: this.#snapshot.now + took, cluster: cluster.name, key, isUndo });
  }

  /** Plans remediation now, and once the run's time limit for a workload is over. */
  watch(cluster: SimulatedCluster, run: string): void {
    cluster.isTroubled = true;
    const { head, ledger, now } = this.#snapshot;
    const { readinessTimeout } = settingsOf(head, lookUp(ledger.runs, run)).batch;
    for (const at of [now, now + readinessTimeout])
      this.#events.add({ kind: "remediation", at, cluster: cluster.name });
  }

  /** A failed workload was put back, so its undo rolls. */
  undo(cluster: SimulatedCluster, workload: Workload): void {
    this.#scheduleEnd(cluster, workload, nameWorkload(workload), { attempt: 1, isUndo: true });
  }

  /** Notes the end of a rollout. It is published together with others that end within the executor's debounce time. */
  end({ cluster, key, isUndo }: Extract<SimulatedEvent, { readonly kind: "end" }>): void {
    const known = this.#ended.get(cluster);
    if (known !== undefined) {
      known.set(key, isUndo);
      return;
    }
    this.#ended.set(cluster, new Map([[key, isUndo]]));
    this.#publishLater(cluster);
  }

  #publishLater(cluster: string): void {
    this.#events.add({ kind: "publish", at: this.#snapshot.now + this.#chance.timing.reaction, cluster });
  }

  publish(cluster: SimulatedCluster): void {
    const ended = this.#ended.get(cluster.name) ?? new Map<string, boolean>();
    this.#ended.delete(cluster.name);
    for (const [name, keys] of Map.groupBy(ended.keys(), readNamespace)) {
      const inventory = cluster.find(name);
      if (inventory === undefined) continue;
      const place = cluster.placeIn(inventory);
      const changed = keys.flatMap((key) => {
        const workload = findByKey(inventory, key);
        const isUndo = ended.get(key) === true;
        return workload === undefined ? [] : finish(cluster, { key, isUndo, workload }, place);
      });
      cluster.put(replaceWorkloads(inventory, changed));
    }
    for (const key of ended.keys()) this.close(cluster, key);
    if (cluster.isTroubled) this.#events.add({ kind: "remediation", at: this.#snapshot.now, cluster: cluster.name });
  }

  /** A workload of a batch has ended, well or not; with the last one the batch ends. */
  close(cluster: SimulatedCluster, key: string): void {
    const name = nameInFleet(cluster.name, key);
    const run = this.#migrating.get(name);
    this.#migrating.delete(name);
    if (run !== undefined) {
      cluster.rolling -= 1;
      this.#listener.settled(run);
    }
    const { held } = cluster;
    if (held === undefined || !("delete" in held.open) || !held.open.delete(key)) return;
    if (held.open.size === 0) cluster.release(this.#snapshot.now);
    else cluster.hold(held);
  }
}

interface Ended {
  readonly key: string;
  readonly isUndo: boolean;
  readonly workload: Workload;
}

function finish({ originals }: SimulatedCluster, { key, isUndo, workload }: Ended, place: Place): Workload {
  const original = originals.get(key);
  originals.delete(key);
  return isUndo && original !== undefined ? endUndo(workload, original, place) : endRollout(workload, place);
}

function readNamespace(key: string): string {
  return parseWorkloadName(key).namespace;
}

function findByKey({ workloads }: NamespaceInventory, key: string): Workload | undefined {
  const { kind, name } = parseWorkloadName(key);
  return workloads.find((each) => each.name === name && each.kind === kind);
}

/** The present state of a workload, by `namespace/Kind/name`. */
export function findWorkload(cluster: SimulatedCluster, key: string): Workload | undefined {
  const inventory = cluster.find(readNamespace(key));
  return inventory === undefined ? undefined : findByKey(inventory, key);
}
