import { setTimeout as sleep } from "node:timers/promises";

import type { FleetStatus } from "#libs/plan";

import { isLive, openScreen, type Screen } from "./screen.ts";
import { cutLines, moveOffset } from "./scroll.ts";
import { type Terminal, write } from "../terminal/terminal.ts";

/** How often the status is read again, real ms. */
const everyMs = 1000;

/** What to do with each status. */
export interface Follower {
  /** The text of a status, for people. */
  readonly print: (status: FleetStatus) => Promise<string>;
  /** The object of a status, for programs. */
  readonly pick: (status: FleetStatus) => Promise<object>;
  readonly output: "human" | "json";
}

/** The state without the times of reading, by which changes are found. */
export function nameState(object: object): string {
  const volatile = new Set(["at", "wroteAt", "ageSeconds", "endsAt", "healthySeconds", "answers"]);
  return JSON.stringify(object, (key: string, value: unknown) => (volatile.has(key) ? undefined : value));
}

/** Draws the last text from the scrolled line on. */
function createPager(screen: Screen): (text: string) => Promise<void> {
  let [lines, offset]: [readonly string[], number] = [[], 0];
  const paint = async () => {
    const part = cutLines(lines, Math.max(1, screen.size().rows - 2), offset);
    offset = part.offset;
    await screen.draw(part.lines, "j/k scroll  q quits; the rollout continues");
  };
  screen.listen((key) => {
    offset = moveOffset(offset, key);
    void paint();
  });
  return async (text) => {
    lines = text.trimEnd().split("\n");
    await paint();
  };
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

/** On a terminal the text is redrawn in place and cut to its height; in a pipe each change is printed once. */
export async function followStatus(
  read: () => Promise<FleetStatus>,
  terminal: Terminal,
  { print, pick, output }: Follower,
): Promise<void> {
  const screen = output === "human" && isLive(terminal) ? await openScreen(terminal) : undefined;
  const page = screen === undefined ? undefined : createPager(screen);
  let last = "";
  const printChange = async (status: FleetStatus) => {
    const object = await pick(status);
    const state = nameState(object);
    const isNew = state !== last;
    last = state;
    if (isNew) await write(terminal.stdout, `${output === "json" ? JSON.stringify(object) : await print(status)}\n`);
  };
  try {
    for (;;) {
      const status = await read();
      await (page === undefined ? printChange(status) : page(await print(status)));
      if (await rest(screen?.left)) return;
    }
  } finally {
    await screen?.close();
  }
}
