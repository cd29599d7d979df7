import { setTimeout as sleep } from "node:timers/promises";

import type { Fault, PassTools } from "../passes/fault.ts";
import { drawBetween } from "../passes/random.ts";
import { file } from "../passes/shop.ts";
import { type CutWire, type Direction, startCutWire } from "./cut-wire.ts";

const services = ["planner", "executor", "notifier"] as const;
type Service = (typeof services)[number];

const ways: readonly (readonly Direction[])[] = [["toServer"], ["toClient"], ["toServer", "toClient"]];

function startOver({ fleet, lane }: PassTools, name: Service, wire: CutWire): void {
  const url = Object.assign(new URL(lane.nats.urlOf(name)), { host: wire.host });
  fleet.startService(name, { env: { MESHROLL_NATS_URL: url.href } });
}

/** Which services are cut off, and in which directions: one of the seven splits, drawn. */
function drawSplit(random: () => number): readonly (readonly [Service, readonly Direction[]])[] {
  const bits = drawBetween(random, 1, 7);
  const chosen = services.filter((_, at) => Math.floor(bits / 2 ** at) % 2 === 1);
  return chosen.map((name) => [name, ways[drawBetween(random, 0, 2)] ?? []] as const);
}

async function playPartition(tools: PassTools): Promise<void> {
  const { fleet, lane, random } = tools;
  await tools.prepare("well");
  const wires = new Map<Service, CutWire>();
  // A message that is held arrives as late as the partition is long.
  fleet.graceMs += 20_000;
  try {
    for (const name of services) wires.set(name, await startCutWire(lane.nats.url));
    for (const [name, wire] of wires) startOver(tools, name, wire);
    await tools.untilSeen();
    await fleet.merge({ "rollouts.yml": file(100) });
    await tools.reach();
    const backs = drawSplit(random).map(([name, directions]) => wires.get(name)?.cut(directions));
    await sleep(drawBetween(random, 3, 12) * 1000);
    for (const back of backs) back?.();
    tools.fixed();
    await tools.endsUndisturbed("well");
    await fleet.close();
  } finally {
    for (const wire of wires.values()) await wire.close();
  }
}

export const busPartitionFaults: readonly Fault[] = [
  {
    name: "bus-partition",
    // A client notices a dead connection only by its own pings.
    recovery: 12,
    shows:
      "some of planner, executor and notifier are cut off from NATS, in one direction or both: nothing is done twice",
    play: playPartition,
  },
];
