import { parseArgs } from "node:util";

import { playCampaignWalk } from "./campaign/judge.ts";
import { drawCampaignSteps } from "./campaign/steps.ts";
import { keptCampaigns, keptFlows } from "./kept-walks.ts";
import { playWalk, type WalkEnd } from "./judge-walk.ts";
import { drawSteps } from "./random-steps.ts";
import { playDrawnRestarts } from "../restarts/draw-restarts.ts";
import { momentCount, playMoments } from "../restarts/moments.ts";

// `npm run test:walks`: random walks, and stories with restarts at drawn moments, from a random seed. Before them it plays
// the kept walks and each story with each of its worst moments. `-- --flows 200 --campaigns 0 --restarts 0 --from 1000`
// plays only those; `--kept` adds the kept ones.
const { values } = parseArgs({
  options: {
    flows: { type: "string", default: "20" },
    campaigns: { type: "string", default: "5" },
    moments: { type: "string", default: "0" },
    restarts: { type: "string", default: "20" },
    kept: { type: "boolean", default: false },
    from: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
  },
});

type Play = (seed: string) => Promise<Pick<WalkEnd, "faults" | "story">>;

const first = Number(values.from);
const playsKept = values.kept || !process.argv.includes("--from");

/** The kept seeds, unless `--from` is given without `--kept`, and `count` seeds from the first one on. */
function listSeeds(kept: readonly number[], count: number): readonly number[] {
  return [...(playsKept ? kept : []), ...Array.from({ length: count }, (_, index) => first + index)];
}

const kinds: readonly (readonly [name: string, seeds: readonly number[], play: Play])[] = [
  ["flows", listSeeds(keptFlows, Number(values.flows)), async (seed) => playWalk(seed, drawSteps(seed, 25))],
  [
    "campaigns",
    listSeeds(keptCampaigns, Number(values.campaigns)),
    async (seed) => playCampaignWalk(seed, drawCampaignSteps(seed, 14)),
  ],
  ["moments", playsKept ? [...Array(momentCount).keys()] : listSeeds([], Number(values.moments)), playMoments],
  ["restarts", listSeeds([], Number(values.restarts)), playDrawnRestarts],
];

console.log(`walks from seed ${first}`);
let [passed, failed] = [0, 0];
for (const [name, seeds, play] of kinds) {
  const other = kinds.map(([kind]) => `--${kind} ${kind === name ? 1 : 0}`).join(" ");
  for (const [index, seed] of seeds.entries()) {
    if (index > 0 && index % 50 === 0) console.log(`${name}: ${index} of ${seeds.length} played, ${failed} failed`);
    const { faults, story } = await play(String(seed));
    if (faults.length === 0) {
      passed += 1;
      continue;
    }
    failed += 1;
    console.log(`\n${name} ${seed}:`);
    for (const line of story) console.log(`  ${line}`);
    for (const fault of faults) console.log(`  ! ${fault}`);
    console.log(`  again: npm run test:walks -- ${other} --from ${seed}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
