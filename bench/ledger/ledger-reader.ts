import { openRepository } from "../../libs/git/index.ts";
import { openLedger } from "../../libs/ledger/index.ts";
import { createRepositorySnapshots } from "../../libs/repository/index.ts";
import type { LedgerState } from "../../libs/plan/index.ts";
import { systemClock } from "../../libs/runtime/index.ts";
import { readPeakRss } from "../read-process.ts";
import { type LedgerReading, WHOLE_RUNS } from "./ledger-reading.ts";

// Each reader is a process of its own, as heaps cannot be told apart within one. Arguments: kind of reader, URL, folder of
// its clone. The fetch is not measured.
const [, , who = "", url = "", folder = ""] = process.argv;

process.on("disconnect", () => process.exit(1));
if (globalThis.gc === undefined) throw new Error("run it with --expose-gc");

const repository = await openRepository({ url, folder });
const { ledger: head = "" } = await repository.fetch();
const ledger = openLedger(repository);
/** A part, as the product never reads all records in full at once. */
function listPart({ runs }: LedgerState): readonly string[] {
  return Object.keys(runs).slice(0, WHOLE_RUNS);
}

async function read(): Promise<LedgerState | undefined> {
  if (who === "idle") return undefined;
  if (who === "start") {
    const snapshots = createRepositorySnapshots(repository, openLedger(repository), systemClock());
    return (await snapshots.refresh()).ledger;
  }
  const live = await ledger.load(head);
  return who === "live" ? live : ledger.recall(live, listPart(live));
}

const began = performance.now();
const used = process.cpuUsage();
const state = await read();
const { user, system } = process.cpuUsage(used);
const loadMs = performance.now() - began;
const peakRssBytes = readPeakRss();
for (let round = 0; round < 2; round++) {
  await globalThis.gc({ type: "major", execution: "async", flavor: "last-resort" });
  await new Promise((resolve) => setImmediate(resolve));
}
const heapBytes = process.memoryUsage().heapUsed;
const runs = Object.values(state?.runs ?? {});
const wholeRuns = runs.filter(({ archived }) => archived !== "facts").length;
const reading: LedgerReading = {
  runs: runs.length,
  wholeRuns,
  loadMs,
  cpuMs: (user + system) / 1e3,
  heapBytes,
  peakRssBytes,
};
process.send?.(reading, () => process.exit(0));
