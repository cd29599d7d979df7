import { setTimeout as sleep } from "node:timers/promises";

import type { FleetStatus } from "#libs/plan";

import { isLive, openScreen, type Screen } from "./screen.ts";
import { type Terminal, write } from "./terminal.ts";

/** How often the status is read again, real ms. */
const everyMs = 1000;

/** What is done with each look. */
export interface Follower {
  /** The whole text of a look, for people. */
  readonly print: (status: FleetStatus) => Promise<string>;
  /** The object of a look, for machines. */
  readonly pick: (status: FleetStatus) => Promise<object>;
  readonly output: "human" | "json";
}

/** What a person would call a change: everything but the times at which it was looked at. */
export function nameState(object: object): string {
  const volatile = new Set(["at", "wroteAt", "ageSeconds", "endsAt", "healthySeconds", "answers"]);
  return JSON.stringify(object, (key: string, value: unknown) => (volatile.has(key) ? undefined : value));
}

async function drawWhole(screen: Screen, text: string): Promise<void> {
  const { rows } = screen.size();
  const lines = text.trimEnd().split("\n");
  const room = Math.max(1, rows - 1);
  await screen.draw(
    lines.length <= room ? lines : [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more lines`],
  );
}

/** Waits a second, or until the person leaves. True when they left. */
export async function rest(left: AbortSignal | undefined): Promise<boolean> {
  try {
    await sleep(everyMs, undefined, left === undefined ? {} : { signal: left });
    return false;
  } catch (error) {
    if (left?.aborted === true) return true;
    throw error;
  }
}

/** On a terminal the text is redrawn in place and cut to its height; piped, each change is printed once. */
export async function followStatus(
  read: () => Promise<FleetStatus>,
  terminal: Terminal,
  { print, pick, output }: Follower,
): Promise<void> {
  const screen = output === "human" && isLive(terminal) ? await openScreen(terminal) : undefined;
  let last = "";
  try {
    for (;;) {
      const status = await read();
      const object = await pick(status);
      const state = nameState(object);
      if (screen !== undefined) await drawWhole(screen, await print(status));
      else if (state !== last) {
        await write(terminal.stdout, output === "json" ? `${JSON.stringify(object)}\n` : `${await print(status)}\n`);
      }
      last = state;
      if (await rest(screen?.left)) return;
    }
  } finally {
    await screen?.close();
  }
}
