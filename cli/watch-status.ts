import { setTimeout as sleep } from "node:timers/promises";

import type { FleetStatus } from "#libs/plan";

import { printStatus } from "./print-status.ts";
import { type Terminal, write } from "./terminal.ts";

/** How often the status is read again, real ms. */
const everyMs = 1000;

/** What a person would call a change: everything but the times at which it was looked at. */
function nameState(status: FleetStatus): string {
  const { at: _at, wroteAt: _wroteAt, main, clusters, ...rest } = status;
  const stable = clusters.map(({ ageSeconds: _age, ...cluster }) => cluster);
  return JSON.stringify({ ...rest, head: main.head, clusters: stable });
}

/** On a terminal the picture is redrawn in place and cut to its height; piped, each change is printed once. */
export async function watchStatus(
  read: () => Promise<FleetStatus>,
  output: "human" | "json",
  { stdout, env }: Terminal,
): Promise<never> {
  const isLive = stdout.isTTY === true && output === "human" && env["TERM"] !== "dumb";
  const rows = "rows" in stdout && typeof stdout.rows === "number" ? stdout.rows : 24;
  let last = "";
  for (;;) {
    const status = await read();
    const state = nameState(status);
    if (isLive) {
      const lines = printStatus(status).trimEnd().split("\n");
      const cut =
        lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
      // Home, then each line cleared to its end: no flicker, and nothing is left of a longer frame.
      await write(stdout, `\u001B[H${cut.map((line) => `${line}\u001B[K`).join("\n")}\u001B[J\n`);
    } else if (state !== last) {
      await write(stdout, output === "json" ? `${JSON.stringify(status)}\n` : `${printStatus(status)}\n`);
    }
    last = state;
    await sleep(everyMs);
  }
}
