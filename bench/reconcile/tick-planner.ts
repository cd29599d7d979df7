import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { decide } from "#libs/plan";

import { gather } from "../../services/planner/reconcile/gather.ts";
import { createStatusPublisher } from "../../services/planner/publishing/publish-status.ts";
import { rememberWaiting } from "../../services/planner/memory/waiting-memory.ts";
import { readThreadMs } from "../read-process.ts";
import { makeTickFleet, type TickFleet } from "./tick-fleet.ts";

/** Reconciles that are timed together: the kernel's CPU times are exact only over a longer period. */
const RECONCILES = 40;
/** Namespaces that change between two reconciles, the same number in every fleet. */
const CHANGED = 10;
/** Walks that are timed together. */
const WALKS = 10;

/** What the process sends: the fleet's size and ms of CPU time per reconcile and per reference work. */
export interface TickReading {
  readonly workloads: number;
  readonly ms: number;
  /** A bare walk over as many workloads. */
  readonly walkMs: number;
  /** `JSON.parse` of the published namespaces; 0 except with the first reconcile. */
  readonly parseMs: number;
}

/** One reconcile of the planner's loop, without git, Redis and NATS, whose cost does not depend on the fleet's size. */
function makeReconcile({ sources }: TickFleet): () => Promise<void> {
  const publish = createStatusPublisher(openFakeBus(createFakeBusServer()).bucket("status"), sources.clock);
  return async () => {
    const snapshot = await gather(sources);
    if (snapshot === undefined) throw new Error("main was not read");
    const decisions = decide(snapshot);
    rememberWaiting(sources.memory, snapshot);
    await publish({ snapshot, decisions });
    if (!decisions.some(({ kind }) => kind === "handOut")) throw new Error("a planner that hands out nothing is idle");
  };
}

/** Ms of CPU time per reconcile, including applying the changes to the inventory. */
async function timeReconciles(fleet: TickFleet, reconcile: () => Promise<void>, times: number): Promise<number> {
  const folds = Array.from({ length: times }, () => fleet.prepareChange(CHANGED));
  const before = readThreadMs();
  for (const fold of folds) {
    fold();
    await reconcile();
  }
  return (readThreadMs() - before) / times;
}

/** Ms of CPU time of one pass of reference work, averaged over `times`. Throws when it returns 0. */
function timeKnown(work: () => number, times: number): number {
  const before = readThreadMs();
  for (let at = 0; at < times; at++) if (work() === 0) throw new Error("the known work did nothing");
  return (readThreadMs() - before) / times;
}

// The parent is gone.
process.on("disconnect", () => process.exit(0));

const fleet = makeTickFleet(Number(process.argv[2]));
const reconcile = makeReconcile(fleet);
let isFirst = true;
process.on("message", () => {
  const [times, wasFirst] = [isFirst ? 1 : RECONCILES, isFirst];
  isFirst = false;
  void timeReconciles(fleet, reconcile, times).then((ms) => {
    const known = { walkMs: timeKnown(fleet.walk, WALKS), parseMs: wasFirst ? timeKnown(fleet.parse, 1) : 0 };
    return process.send?.({ workloads: fleet.workloads, ms, ...known } satisfies TickReading);
  });
});
