import { parseArgs } from "node:util";

import { playCampaignWalk } from "./campaign-walk-judge.ts";
import { drawCampaignSteps } from "./campaign-walk-steps.ts";
import { playWalk, type WalkEnd } from "./judge-walk.ts";
import { drawSteps } from "./random-steps.ts";

// Random walks from a seed that is drawn anew each time: `npm run test:walks`, `-- --flows 200 --campaigns 0 --from 1000`.
const { values } = parseArgs({
  options: {
    flows: { type: "string", default: "20" },
    campaigns: { type: "string", default: "5" },
    from: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
  },
});

type Play = (seed: string) => Promise<WalkEnd>;

const first = Number(values.from);
const kinds: readonly (readonly [name: string, count: number, play: Play])[] = [
  ["flows", Number(values.flows), async (seed) => playWalk(seed, drawSteps(seed, 25))],
  ["campaigns", Number(values.campaigns), async (seed) => playCampaignWalk(seed, drawCampaignSteps(seed, 14))],
];

console.log(`walks from seed ${first}`);
let [passed, failed] = [0, 0];
for (const [name, count, play] of kinds) {
  const other = name === "flows" ? "--campaigns 0 --flows 1" : "--flows 0 --campaigns 1";
  for (let seed = first; seed < first + count; seed += 1) {
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
