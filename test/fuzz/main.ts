import { parseArgs } from "node:util";

import { attacks } from "./attacks.ts";
import { playFiles } from "./play-files.ts";
import { playRound, type Round } from "./play-round.ts";
import { playWebhooks } from "./play-webhooks.ts";

// Hostile input, drawn from a seed, at every place where input comes in. `npm run test:fuzz` takes an hour; `-- --seconds
// 60`.
const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3600" },
    rounds: { type: "string", default: "Infinity" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
    only: { type: "string", multiple: true, default: [] },
  },
});

type Play = (seed: string) => Promise<Round> | Round;

const surfaces = new Map<string, Play>([
  ...Object.entries(attacks).map(
    ([name, attack]) => [name, async (seed: string) => playRound(seed, [attack])] as const,
  ),
  ["mixed", async (seed: string) => playRound(seed, Object.values(attacks))] as const,
  ["webhooks", playWebhooks] as const,
  ["files", playFiles] as const,
]);
const chosen = [...surfaces].filter(([name]) => values.only.length === 0 || values.only.includes(name));
if (chosen.length === 0)
  throw new Error(`--only names nothing that is tried; there are: ${[...surfaces.keys()].join(", ")}`);

const escaped: string[] = [];
// Errors that no loop caught would have ended a real process.
process.on("unhandledRejection", (error) => void escaped.push(`unhandled rejection: ${String(error)}`));
process.on("uncaughtException", (error) => void escaped.push(`uncaught exception: ${String(error)}`));

const end = performance.now() + Number(values.seconds) * 1000;
const tally = new Map(chosen.map(([name]) => [name, 0]));
let failed = 0;
for (let round = 0; round < Number(values.rounds) && performance.now() < end && failed < 10; round += 1) {
  for (const [name, play] of chosen) {
    if (performance.now() >= end && round > 0) break;
    const seed = `${values.seed}+${round}`;
    const { faults, story } = await play(seed);
    const all = [...faults, ...escaped.splice(0)];
    tally.set(name, (tally.get(name) ?? 0) + 1);
    if (all.length === 0) continue;
    failed += 1;
    console.log(`\n${name}: ${all.join("; ")}`);
    for (const line of story) console.log(`  ${JSON.stringify(line)}`);
    console.log(`  again: npm run test:fuzz -- --only ${name} --seed ${seed} --rounds 1`);
  }
}
const total = [...tally.values()].reduce((sum, count) => sum + count, 0);
console.log([...tally].map(([name, count]) => `${name} ${count}`).join(", "));
console.log(`seed ${values.seed}`);
console.log(`${total - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
