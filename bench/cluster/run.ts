import { parseArgs } from "node:util";

import { ProgramsMissing } from "../../scripts/go/go-tools.ts";
import { EnvoysMissing } from "../../test/vm/envoys/find-envoys.ts";
import { printTable } from "../print-table.ts";
import { type BenchPrograms, findBenchPrograms } from "./bed.ts";
import { measure, sizes } from "./measure.ts";

// `npm run bench:cluster`: meshroll next to a shell loop and a barrier on a real control plane, in one run of about ten minutes.
// `-- --small` plays it with a quarter of the fleet, to see that it works: its figures prove nothing. Exits with 3 (skipped) where
// the programs are not to be had, with 1 when a goal is missed.

const skippedCode = 3;
const log = (line: string) => console.error(`bench: ${line}`);

async function findOrSkip(): Promise<BenchPrograms> {
  try {
    return await findBenchPrograms(log);
  } catch (error) {
    if (!(error instanceof ProgramsMissing || error instanceof EnvoysMissing)) throw error;
    log(`SKIPPED: nothing of this bench was run\n${error.message}`);
    process.exit(skippedCode);
  }
}

const { values } = parseArgs({ options: { small: { type: "boolean", default: false } } });
const figures = await measure(await findOrSkip(), values.small ? sizes.small : sizes.whole, log);
console.log(printTable(figures));
const missed = figures.filter(({ isMet }) => !isMet);
const known = missed.filter(({ isKnownMiss }) => isKnownMiss === true).length;
console.log(`${missed.length} goals missed (${known} known: docs/reference/benchmarks.md)`);
process.exit(missed.length === known ? 0 : 1);
