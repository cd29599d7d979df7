import { execFileSync, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import {
  atMostPeer,
  type Bench,
  fasterThanPeer,
  type Figure,
  limitFigure,
  type Quantity,
  takeMedian,
} from "../bench.ts";
import { receiveReading } from "../receive-reading.ts";
import { type LedgerReader, type LedgerReading, WHOLE_RUNS } from "./ledger-reading.ts";
import { makeLedgerRepository } from "./ledger-repository.ts";

const SIZE = { runs: 5000, clusters: 100 };
const ROUNDS = 3;
const PATIENCE_MS = 900_000;

/** Reading a year of decisions, as planner and executors do at their start. */
export const ledgerBench: Bench = { name: "ledger", run: runLedger };

/** The least of each figure; of the times all rounds, next to bare git's. */
interface Best extends Readonly<Record<LedgerReader, LedgerReading>> {
  readonly liveMs: Quantity;
  readonly startMs: Quantity;
  readonly bareReadMs: Quantity;
  readonly bareLogMs: Quantity;
}

async function runLedger(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-bench-ledger-"));
  try {
    const url = await makeLedgerRepository(folder, SIZE);
    const best = await measureRounds(url, folder);
    requireSameKnowledge(best);
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
  return (await receiveReading(child, who)) as LedgerReading;
}

/** Wall-clock ms of one git process, including reading its output. */
function timeGit(folder: string, args: readonly string[], input = ""): number {
  const began = performance.now();
  execFileSync("git", ["-C", folder, ...args], { input, maxBuffer: 1 << 30 });
  return performance.now() - began;
}

/** Reference work: two git processes read the same files as `live`, all of the ledger's head except the archive. */
function timeBareRead(clone: string): number {
  const began = performance.now();
  const listed = execFileSync("git", ["-C", clone, "ls-tree", "-r", "meshroll/ledger"], { maxBuffer: 1 << 30 });
  const ids = listed
    .toString()
    .split("\n")
    .filter((line) => line !== "" && !line.includes("\tarchive/"))
    .map((line) => line.split(/\s/u)[2] ?? "");
  const took = performance.now() - began;
  return took + timeGit(clone, ["cat-file", "--batch"], `${ids.join("\n")}\n`);
}

type Round = Readonly<Record<LedgerReader, LedgerReading>> & {
  readonly bareReadMs: number;
  readonly bareLogMs: number;
};

/** Runs the readers in turns, and takes the least of each figure: a disturbance never lowers one. */
async function measureRounds(url: string, folder: string): Promise<Best> {
  const rounds: Round[] = [];
  const remote = fileURLToPath(url);
  for (let round = 0; round < ROUNDS; round++) {
    const idle = await measure("idle", url, folder);
    const live = await measure("live", url, folder);
    const whole = await measure("whole", url, folder);
    const start = await measure("start", url, folder);
    const bareReadMs = timeBareRead(remote);
    const bareLogMs = bareReadMs + timeGit(remote, ["log", "--format=%H%an%s", "--raw", "main"]);
    rounds.push({ idle, live, whole, start, bareReadMs, bareLogMs });
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
  const seconds = (read: (each: Round) => number) =>
    takeMedian(
      rounds.map((each) => read(each) / 1e3),
      "s",
    );
  return {
    idle,
    live,
    whole,
    start: takeLeast("start"),
    liveMs: seconds((each) => each.live.loadMs),
    startMs: seconds((each) => each.start.loadMs),
    bareReadMs: seconds((each) => each.bareReadMs),
    bareLogMs: seconds((each) => each.bareLogMs),
  };
}

function requireSameKnowledge({ live, whole }: Best): void {
  if (live.runs === SIZE.runs && whole.wholeRuns >= WHOLE_RUNS && live.wholeRuns < 200) return;
  throw new Error(`read ${live.runs} runs, ${live.wholeRuns} of them whole; the peer ${whole.wholeRuns} whole`);
}

function makeFigures(best: Best): readonly Figure[] {
  const { idle, live, whole, start } = best;
  const size = `${SIZE.runs.toLocaleString("en")} runs, ${SIZE.clusters} clusters`;
  const seconds = (ms: number) => ({ value: ms / 1e3, unit: "s" });
  const megabytes = (bytes: number) => ({ value: bytes / 1e6, unit: "MB" });
  // What the peer needs in addition to `live` per full record, extrapolated to all records.
  const countUp = (what: "loadMs" | "heapBytes" | "peakRssBytes") =>
    ((whole[what] - live[what]) / (whole.wholeRuns - live.wholeRuns)) * SIZE.runs;
  const peer = "every record whole";
  const heap = megabytes(live.heapBytes - idle.heapBytes);
  const peak = megabytes(live.peakRssBytes - idle.peakRssBytes);
  return [
    atMostPeer(`ledger of ${size}: load, on the wall`, best.liveMs, "bare git's read", best.bareReadMs, 6),
    limitFigure(`ledger of ${size}: heap over idle`, heap, 50),
    atMostPeer(`start, ${SIZE.runs} commits of main: on the wall`, best.startMs, "bare git's log", best.bareLogMs, 10),
    limitFigure(`start, ${SIZE.runs} commits of main: heap over idle`, megabytes(start.heapBytes - idle.heapBytes), 50),
    fasterThanPeer(`ledger of ${size}: load, on the wall`, seconds(live.loadMs), peer, seconds(countUp("loadMs")), 2),
    fasterThanPeer(`ledger of ${size}: heap over idle`, heap, peer, megabytes(countUp("heapBytes")), 4),
    fasterThanPeer(`ledger of ${size}: peak RSS over idle`, peak, peer, megabytes(countUp("peakRssBytes")), 2),
  ];
}

/** Prints the absolute figures behind the ratios. */
function explain({ idle, live, whole, start }: Best): void {
  for (const [who, { runs, wholeRuns, loadMs, cpuMs, heapBytes, peakRssBytes }] of Object.entries({
    idle,
    live,
    whole,
    start,
  })) {
    const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    console.error(
      `bench: ledger: ${who}: ${runs} runs, ${wholeRuns} whole, loaded in ${Math.round(loadMs)} ms (CPU ${Math.round(cpuMs)} ms), ` +
        `heap ${mb(heapBytes)}, peak RSS ${mb(peakRssBytes)}`,
    );
  }
}
