import { parseArgs } from "node:util";
import { admitBench } from "./admission/admit.ts";
import { agentsBench } from "./agents/agents.ts";
import { assignBench } from "./assignment/assign.ts";
import type { Bench, Figure } from "./bench.ts";
import { mergeBench, pauseBench, wipeBench } from "./latency/fleet-latencies.ts";
import { killBench } from "./latency/kill.ts";
import { ledgerBench } from "./ledger/ledger.ts";
import { matchBench } from "./assignment/match.ts";
import { memoryBench } from "./memory/memory.ts";
import { mutateBench } from "./mutate/mutate.ts";
import { printTable } from "./print-table.ts";
import { simulateBench } from "./simulation/simulate.ts";
import { requestsBench } from "./scm/requests.ts";
import { startBench } from "./start/start.ts";
import { stuckBench } from "./latency/stuck.ts";
import { tickBench } from "./reconcile/tick.ts";
import { vmsBench } from "./vms/vms.ts";
import { watchersBench } from "./watchers/watchers.ts";

/** All benches: `npm run bench`, or one by `npm run bench -- --only match`. */
const benches: readonly Bench[] = [
  assignBench,
  matchBench,
  startBench,
  mutateBench,
  memoryBench,
  ledgerBench,
  tickBench,
  simulateBench,
  stuckBench,
  killBench,
  pauseBench,
  mergeBench,
  wipeBench,
  requestsBench,
  watchersBench,
  admitBench,
  agentsBench,
  vmsBench,
];

function chooseBenches(): readonly Bench[] {
  const { values } = parseArgs({ options: { only: { type: "string", multiple: true } } });
  const { only } = values;
  if (only === undefined) return benches;
  const unknown = only.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknown.length === 0) return benches.filter(({ name }) => only.includes(name));
  console.error(
    `bench: no bench is named ${unknown.join(", ")}; there are ${benches.map(({ name }) => name).join(", ")}`,
  );
  process.exit(64);
}

const figures: Figure[] = [];
for (const bench of chooseBenches()) {
  console.error(`bench: ${bench.name} ...`);
  figures.push(...(await bench.run()));
}

console.log(printTable(figures));
const missed = figures.filter(({ isMet }) => !isMet);
const known = missed.filter(({ isKnownMiss }) => isKnownMiss === true).length;
const met = figures.filter(({ goal, isMet }) => goal !== "" && isMet).length;
console.log(`${met} goals met, ${missed.length} missed (${known} known: docs/reference/benchmarks.md)`);
process.exitCode = missed.length === known ? 0 : 1;
