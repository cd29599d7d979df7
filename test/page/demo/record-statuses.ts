import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { findStageRun } from "../../../sandbox/demo/story/story.ts";
import { brokenStage } from "../../../sandbox/demo/world/files.ts";
import { openDemo } from "./open-demo.ts";

// `node test/page/demo/record-statuses.ts`: records what the demo's planner publishes in a minute of its busiest stage, an hour of
// cluster time, for the bench of watchers and the measurement of the browser's memory. To be run when the form of a status changes.

const file = fileURLToPath(new URL("../../../bench/watchers/statuses.jsonl.gz", import.meta.url));
const seconds = 60;

const demo = await openDemo();
try {
  await demo.until((status) => findStageRun(status, brokenStage) !== undefined);
  const lines: string[] = [];
  while (lines.length < seconds) {
    await sleep(1000);
    const last = demo.statuses.at(-1);
    if (last !== undefined) lines.push(JSON.stringify(last.status));
  }
  writeFileSync(file, gzipSync(lines.join("\n"), { level: 9 }));
  process.stderr.write(`recorded ${lines.length} statuses in bench/watchers/statuses.jsonl.gz\n`);
} finally {
  await demo.close();
}
