import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { describe, expect, it, onTestFinished } from "vitest";

import { createLineSink } from "./line-sink.ts";

/** A stream that accepts no line while `isFull`. */
function makeStream() {
  const lines: string[] = [];
  const state = { isFull: false, lines };
  const stream = {
    write(line: string, done: (error?: Error) => void) {
      if (state.isFull) return done(new Error("ENOSPC"));
      lines.push(line);
      return done();
    },
    on: () => undefined,
  };
  return { state, stream };
}

describe("lines of the log", () => {
  it("that cannot be written are counted, and the count is reported with the next one that can", () => {
    const { state, stream } = makeStream();
    const write = createLineSink(stream, (lost) => `${lost} lost`);
    write("a");
    state.isFull = true;
    write("b");
    write("c");
    state.isFull = false;
    write("d");
    write("e");
    expect(state.lines).toEqual(["a", "d", "2 lost", "e"]);
  });

  it(
    "a service whose log's disk is full goes on, and says afterwards what is missing",
    { timeout: 30_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "meshroll-log-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, "log");
      const logger = fileURLToPath(new URL("./logger.ts", import.meta.url));
      const script = [
        `const { createLogger } = await import(${JSON.stringify(logger)});`,
        `const log = createLogger("tried");`,
        `process.on("uncaughtException", () => process.exit(7));`,
        `process.on("message", (text) => { log.info(text); setImmediate(() => process.send("taken")); });`,
        `process.send("taken");`,
      ].join("\n");
      const log = openSync(file, "a");
      const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "ignore", log, "ipc"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      const say = async (text: string) => {
        child.send(text);
        await once(child, "message");
      };
      const limit = async (bytes: string) =>
        promisify(execFile)("prlimit", ["--pid", String(child.pid), `--fsize=${bytes}:`]);
      await once(child, "message");
      await say("before");
      await limit("0");
      await say("lost");
      await say("lost too");
      await limit("unlimited");
      await say("after");
      const said = readFileSync(file, "utf8");
      expect(said.match(/"msg":"[^"]+"/g)).toEqual([
        '"msg":"before"',
        '"msg":"after"',
        '"msg":"2 lines of the log could not be written"',
      ]);
    },
  );
});
