import { lookUp } from "#libs/input";
import { parseTime } from "./iso-time.ts";
import type { StopRecord } from "./ledger-state.ts";
import { nameLift } from "./name-lift.ts";
import { type ActiveStop, collectStops } from "./stops.ts";
import type { World } from "./world.ts";

/** A stop in force: holds and pauses, wherever they were found. */
export interface StopStatus {
  readonly id: string;
  readonly scope: string;
  /** `propose`: nothing is proposed. `move`: nothing moves either. */
  readonly strength: "propose" | "move";
  /** As in the ledger; `kubectl` = the ConfigMap `meshroll-stop` exists; `unread` = the campaign's file has errors. */
  readonly cause: StopRecord["cause"] | "kubectl" | "unread";
  readonly who: string;
  readonly why: string;
  /** Where it was found first. */
  readonly from: ActiveStop["from"];
  /** ISO time at which its owner is asked; it stays all the same (rules 7.1). */
  readonly until?: string;
  readonly overdue: boolean;
  /** Of a return's hold: the run that placed it. */
  readonly returnOf?: string;
  /** Found in that cluster's ConfigMap: it holds there and nowhere else. */
  readonly foundIn?: string;
  /** What a person types to lift it. */
  readonly command: string;
}

function nameCause(world: World, { id, from }: ActiveStop): StopStatus["cause"] {
  const recorded = lookUp(world.ledger?.stops, id);
  if (recorded !== undefined) return recorded.cause;
  if (from === "main") return "unread";
  if (from === "cluster") return id === "kubectl" ? "kubectl" : "cluster";
  return world.asks.some((ask) => ask.id === id && ask.verb === "rollback") ? "rollback" : "verb";
}

/** Every stop in force, with what it takes to lift it. */
export function describeStops(world: World): readonly StopStatus[] {
  const head = world.specs.get(world.main.head);
  return collectStops(world.ledger, world.asks, world.clusters.values(), head).map((stop) => {
    const { id, scope, strength, who, why, from, until, returnOf, foundIn } = stop;
    return {
      id,
      scope,
      strength,
      cause: nameCause(world, stop),
      who,
      why,
      from,
      ...(until === undefined ? {} : { until }),
      overdue: until !== undefined && parseTime(until) <= world.now,
      ...(returnOf === undefined ? {} : { returnOf }),
      ...(foundIn === undefined ? {} : { foundIn }),
      command: nameLift(stop),
    };
  });
}
