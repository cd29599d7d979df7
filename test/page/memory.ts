import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

import { readStatus } from "#libs/events";
import type { CDPSession } from "playwright-core";

import { makeInstant } from "../world/campaigns/campaign-instant.ts";
import { makeHistory } from "./bed/make-history.ts";
import { makeManyRows } from "./bed/many-rows.ts";
import { openBed } from "./bed/open-bed.ts";

// `npm run test:page-memory -- --minutes 60`: measures the browser's memory while a fleet of 10,000 namespaces moves: each
// second a new status of the demo's planner, and a table in which namespaces move. Fails when the last third of the time
// needs over 10 % more than the third before, as a leak per message would.

const { values } = parseArgs({ options: { minutes: { type: "string", default: "60" } } });
const minutes = Number(values.minutes);
if (!Number.isInteger(minutes) || minutes < 6) {
  console.error("--minutes takes a whole number of 6 or more: less shows no growth");
  process.exit(64);
}
const count = 10_000;
const recorded = new URL("../../bench/watchers/statuses.jsonl.gz", import.meta.url);
const statuses = gunzipSync(readFileSync(recorded)).toString().split("\n");

interface Kept {
  readonly heapMb: number;
  readonly elements: number;
  readonly listeners: number;
}

/** Memory after a garbage collection. */
async function measure(session: CDPSession): Promise<Kept> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await session.send("Memory.getDOMCounters");
  return { heapMb: usedSize / 1e6, elements: nodes, listeners: jsEventListeners };
}

function median(kept: readonly Kept[], what: keyof Kept): number {
  const sorted = kept.map((each) => each[what]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const bed = await openBed();
try {
  const say = async (second: number) => {
    const status = readStatus(statuses[second % statuses.length] ?? "");
    if (status === undefined)
      throw new Error("the recorded statuses have an earlier form: node test/page/demo/record-statuses.ts");
    const rows = makeManyRows(count, (second / 10) % 100);
    await bed.planner.publish(makeInstant(), { status: () => status, table: (table) => ({ ...table, rows }) });
    if (second % 10 === 0) await bed.planner.publishHistory(makeHistory(100 + second));
  };
  await say(0);
  const page = await bed.browser.newPage({ viewport: { width: 1180, height: 1250 } });
  await page.goto(bed.api.url);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.getByText("live", { exact: true }).waitFor();
  await page.getByRole("group", { name: /^production: / }).waitFor();
  const session = await page.context().newCDPSession(page);
  const kept: Kept[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    for (let second = 1; second <= 60; second++) {
      await say(minute * 60 + second);
      await sleep(1000);
    }
    if (faults.length > 0) throw new Error(`the page has a fault: ${faults[0]}`);
    const now = await measure(session);
    kept.push(now);
    console.error(
      `minute ${minute}: heap ${now.heapMb.toFixed(1)} MB, ${now.elements} nodes, ${now.listeners} listeners`,
    );
  }
  const third = Math.floor(minutes / 3);
  const grown = (["heapMb", "elements", "listeners"] as const).filter(
    (what) => median(kept.slice(-third), what) > 1.1 * median(kept.slice(-2 * third, -third), what),
  );
  console.log(grown.length === 0 ? "1 passed, 0 failed" : `0 passed, 1 failed: ${grown.join(", ")} grew`);
  process.exitCode = grown.length === 0 ? 0 : 1;
} finally {
  await bed.close();
}
