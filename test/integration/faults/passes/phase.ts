import type { RealFleet } from "../../fleet/real-fleet.ts";
import { readRef } from "../../fleet/read-ref.ts";
import { drawBetween } from "./random.ts";
import { countOn } from "./shop.ts";

/** A moment of a run, given by what can be observed from outside and not by a time. */
export interface Phase {
  readonly event: "write" | "arrival" | "record";
  /** The n-th event of its kind. */
  readonly nth: number;
  /** And this many changes of objects in the cluster later (pods that come, get ready and go between two writes). */
  readonly changes: number;
}

/** A moment in the middle of a run over eight workloads. */
export function drawPhase(random: () => number): Phase {
  const event = (["write", "write", "arrival", "record"] as const)[drawBetween(random, 0, 3)] ?? "write";
  // The second record is the run's end: after it nothing changes any more.
  const nth = event === "record" ? 1 : drawBetween(random, 1, 5);
  return { event, nth, changes: drawBetween(random, 0, 6) };
}

export function printPhase({ event, nth, changes }: Phase): string {
  return `${event} ${nth}${changes === 0 ? "" : ` and ${changes} changes`}`;
}

/** Counts the events that a phase can name, from its creation on. */
export interface Observer {
  count(event: Phase["event"]): number;
  /** Changes of objects in the cluster. */
  changes(): number;
  /** A text that changes whenever there is progress. */
  progress(): string;
}

export function observe(fleet: RealFleet): Observer {
  const readHead = () => readRef(fleet.gitFolder, "refs/heads/meshroll/ledger");
  let head = readHead();
  let records = 0;
  let changes = 0;
  fleet.model.onEvent(() => (changes += 1));
  const count = (event: Phase["event"]): number => {
    if (event === "write") return fleet.writes.length;
    if (event === "arrival") return countOn(fleet, "new");
    const now = readHead();
    if (now !== head) records += 1;
    head = now;
    return records;
  };
  const progress = () => [count("write"), count("record"), countOn(fleet, "new"), countOn(fleet, "old")].join();
  return { count, changes: () => changes, progress };
}

/** Resolves in the same event loop turn in which the moment is observed. */
export async function untilPhase(fleet: RealFleet, observer: Observer, phase: Phase): Promise<void> {
  await fleet.until(printPhase(phase), () => observer.count(phase.event) >= phase.nth, 60_000, 4);
  const seen = observer.changes();
  const isOver = () => countOn(fleet, "new") === 8;
  await fleet.until(printPhase(phase), () => observer.changes() >= seen + phase.changes || isOver(), 60_000, 4);
}
