import { parseArgs } from "node:util";

import { faults } from "./integration/faults/list.ts";
import { serveLane } from "./integration/faults/serve-lane.ts";
import { playAll } from "./integration/faults/play-all.ts";

// Plays each fault many times, each time at another moment that its seed decides, over real processes and brokers.
const { values } = parseArgs({
  options: {
    times: { type: "string", default: "20" },
    only: { type: "string", multiple: true, default: [] },
    seed: { type: "string" },
    lanes: { type: "string", default: "2" },
    // Of the processes that this one starts: plays what it is told.
    lane: { type: "boolean", default: false },
  },
});

if (values.lane) await serveLane();
else {
  const chosen = faults.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
  const options = { times: Number(values.times), lanes: Number(values.lanes), seed };
  const names = faults.map(({ name }) => name).join(", ");
  if (chosen.length === 0) throw new Error(`--only names no fault; there are: ${names}`);
  process.exitCode = (await playAll(chosen, options, import.meta.filename)) ? 0 : 1;
}
