import { parseArgs } from "node:util";

import { checkOwnGuards } from "./integration/faults/guarded/check-guards.ts";
import { playGuards } from "./integration/faults/guarded/play-guards.ts";
import { seenGuards } from "./integration/faults/guarded/guards-seen.ts";
import { faults } from "./integration/faults/list.ts";
import { serveLane } from "./integration/faults/serve-lane.ts";

// Switches one guard after the other off, and expects that its fault over real processes fails for it.
const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    seed: { type: "string" },
    lanes: { type: "string", default: "2" },
    // Of the processes that this one starts: plays what it is told.
    lane: { type: "boolean", default: false },
  },
});

if (values.lane) await serveLane();
else {
  const chosen = seenGuards.filter(({ guard }) => values.only.length === 0 || values.only.includes(guard));
  const names = seenGuards.map(({ guard }) => guard).join(", ");
  if (chosen.length === 0) throw new Error(`--only names no guard; there are: ${names}`);
  const unfit = checkOwnGuards(faults.map(({ name }) => name));
  if (unfit.length > 0) throw new Error(`guard-edits.ts and guards-seen.ts do not fit:\n${unfit.join("\n")}`);
  const options = { lanes: Number(values.lanes), seed: Number(values.seed ?? Math.floor(Math.random() * 1e6)) };
  process.exitCode = (await playGuards(chosen, options, import.meta.filename)) ? 0 : 1;
}
