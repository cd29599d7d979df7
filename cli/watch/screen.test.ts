import { PassThrough, Writable } from "node:stream";

import { makeInstant, statusOf } from "#test/world/campaigns/campaign-instant";
import { describe, expect, it } from "vitest";

import { isLive, openScreen } from "./screen.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { nameState } from "./watch-status.ts";

class Paper extends Writable {
  text = "";
  readonly isTTY = true;
  readonly rows = 24;
  readonly columns = 80;
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

function makeTerminal(env: Record<string, string> = {}) {
  const [stdout, stdin] = [new Paper(), new PassThrough()];
  const terminal: Terminal = {
    stdin: Object.assign(stdin, { isTTY: true }),
    stdout,
    stderr: new Paper(),
    env,
    cwd: ".",
  };
  return { terminal, stdout, stdin };
}

describe("the alternate screen of a terminal", () => {
  it("is opened and closed, and the last picture stays in the scrollback", async () => {
    const { terminal, stdout } = makeTerminal();
    const screen = await openScreen(terminal);
    await screen.draw(["first"], "q quits");
    await screen.draw(["one", "two"], "q quits");
    await screen.close();
    expect(stdout.text.startsWith("\u001B[?1049h\u001B[?25l")).toBe(true);
    expect(stdout.text.endsWith("\u001B[?25h\u001B[?1049lone\ntwo\n")).toBe(true);
    expect(stdout.text).not.toContain("\u001B[2J");
    expect(screen.size()).toEqual({ rows: 24, columns: 80 });
  });

  it.each(["q", "\u0003"])("is left at the key %j", async (key) => {
    const { terminal, stdin } = makeTerminal();
    const screen = await openScreen(terminal);
    const left = new Promise((resolve) => screen.left.addEventListener("abort", resolve));
    stdin.write("x");
    stdin.write(key);
    await left;
    await screen.close();
    expect(screen.left.aborted).toBe(true);
    expect(stdin.listenerCount("data")).toBe(0);
  });

  it("reports every other key, but none after it was closed", async () => {
    const { terminal, stdin } = makeTerminal();
    const screen = await openScreen(terminal);
    const keys: string[] = [];
    screen.listen((key) => keys.push(key));
    stdin.write("j\u001B[Ax");
    await new Promise(setImmediate);
    expect(keys).toEqual(["down", "up"]);
    expect(screen.left.aborted).toBe(false);
    await screen.close();
  });

  it("leaves nothing in the scrollback when nothing was drawn", async () => {
    const { terminal, stdout } = makeTerminal();
    const screen = await openScreen(terminal);
    await screen.draw([], "reading the status …");
    await screen.close();
    expect(stdout.text.endsWith("\u001B[?25h\u001B[?1049l")).toBe(true);
  });

  it("is not used on a dumb terminal or a pipe", () => {
    expect(isLive(makeTerminal().terminal)).toBe(true);
    expect(isLive(makeTerminal({ TERM: "dumb" }).terminal)).toBe(false);
    expect(isLive({ stdout: new PassThrough(), env: {} })).toBe(false);
  });
});

describe("what counts as a change", () => {
  it("passing time is not a change", () => {
    const status = statusOf(makeInstant());
    const later = { ...status, at: "2026-11-19T11:44:00.000Z", wroteAt: 7, main: { ...status.main, ageSeconds: 9 } };
    expect(nameState(later)).toBe(nameState(status));
    expect(nameState({ ...status, state: "Failed" })).not.toBe(nameState(status));
  });
});
