import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { type Bench, fasterThanPeer, type Figure, limitFigure } from "../bench.ts";
import { type LedgerReader, type LedgerReading, WHOLE_RUNS } from "./ledger-reading.ts";
import { makeLedgerRepository } from "./ledger-repository.ts";

const SIZE = { runs: 5000, clusters: 100 };
const ROUNDS = 3;
const PATIENCE_MS = 120_000;

/** A year of decisions, as planner and executors read it at their start. */
export const ledgerBench: Bench = { name: "ledger", run: runLedger };

type Best = Readonly<Record<LedgerReader, LedgerReading>>;

async function runLedger(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-bench-ledger-"));
  try {
    const url = await makeLedgerRepository(folder, SIZE);
    const best = await measureRounds(url, folder);
    refuseOtherKnowledge(best);
    explain(best);
    return makeFigures(best);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(who: LedgerReader, url: string, folder: string): Promise<LedgerReading> {
  const entry = fileURLToPath(new URL("./ledger-reader.ts", import.meta.url));
  const execArgv = ["--disable-warning=ExperimentalWarning", "--expose-gc"];
  const child = fork(entry, [who, url, join(folder, who)], { execArgv, timeout: PATIENCE_MS });
  const ended = once(child, "exit").then(([code, signal]) => {
    throw new Error(`${who} ended early: ${String(signal ?? code)}`);
  });
  const [reading] = (await Promise.race([once(child, "message"), ended])) as [LedgerReading];
  return reading;
}

/** In turns, and of each figure the least: a disturbed process never needs less. */
async function measureRounds(url: string, folder: string): Promise<Best> {
  const rounds: Best[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const idle = await measure("idle", url, folder);
    const live = await measure("live", url, folder);
    const whole = await measure("whole", url, folder);
    rounds.push({ idle, live, whole, start: await measure("start", url, folder) });
  }
  const takeLeast = (who: LedgerReader): LedgerReading => {
    const all = rounds.map((each) => each[who]);
    const least = (what: keyof LedgerReading) => Math.min(...all.map((each) => each[what]));
    return {
      runs: least("runs"),
      wholeRuns: least("wholeRuns"),
      loadMs: least("loadMs"),
      cpuMs: least("cpuMs"),
      heapBytes: least("heapBytes"),
      peakRssBytes: least("peakRssBytes"),
    };
  };
  const [idle, live, whole] = [takeLeast("idle"), takeLeast("live"), takeLeast("whole")];
  return { idle, live, whole, start: takeLeast("start") };
}

function refuseOtherKnowledge({ live, whole }: Best): void {
  if (live.runs === SIZE.runs && whole.wholeRuns >= WHOLE_RUNS && live.wholeRuns < 200) return;
  throw new Error(`read ${live.runs} runs, ${live.wholeRuns} of them whole; the peer ${whole.wholeRuns} whole`);
}

function makeFigures({ idle, live, whole, start }: Best): readonly Figure[] {
  const size = `${SIZE.runs.toLocaleString("en")} runs, ${SIZE.clusters} clusters`;
  const seconds = (ms: number) => ({ value: ms / 1e3, unit: "s" });
  const megabytes = (bytes: number) => ({ value: bytes / 1e6, unit: "MB" });
  // What the peer needs beyond the lines, for each record that it read whole.
  const countUp = (what: "loadMs" | "heapBytes" | "peakRssBytes") =>
    ((whole[what] - live[what]) / (whole.wholeRuns - live.wholeRuns)) * SIZE.runs;
  const peer = "every record whole";
  const heap = megabytes(live.heapBytes - idle.heapBytes);
  const peak = megabytes(live.peakRssBytes - idle.peakRssBytes);
  return [
    limitFigure(`ledger of ${size}: load, on the wall`, seconds(live.loadMs), 2),
    limitFigure(`ledger of ${size}: heap over idle`, heap, 50),
    limitFigure(`start, ${SIZE.runs} commits of main: on the wall`, seconds(start.loadMs), 2),
    limitFigure(`start, ${SIZE.runs} commits of main: heap over idle`, megabytes(start.heapBytes - idle.heapBytes), 50),
    fasterThanPeer(`ledger of ${size}: load, on the wall`, seconds(live.loadMs), peer, seconds(countUp("loadMs")), 2),
    fasterThanPeer(`ledger of ${size}: heap over idle`, heap, peer, megabytes(countUp("heapBytes")), 4),
    fasterThanPeer(`ledger of ${size}: peak RSS over idle`, peak, peer, megabytes(countUp("peakRssBytes")), 2),
  ];
}

/** The absolute figures behind the ratios. */
function explain(best: Best): void {
  for (const [who, { runs, wholeRuns, loadMs, cpuMs, heapBytes, peakRssBytes }] of Object.entries(best)) {
    const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    console.error(
      `bench: ledger: ${who}: ${runs} runs, ${wholeRuns} whole, loaded in ${Math.round(loadMs)} ms (CPU ${Math.round(cpuMs)} ms), ` +
        `heap ${mb(heapBytes)}, peak RSS ${mb(peakRssBytes)}`,
    );
  }
}
