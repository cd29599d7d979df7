import { describe, expect, it } from "vitest";

import { createLogger, type Logger } from "./logger.ts";
import { Secret } from "./secret.ts";

function keepLines(level: string, secrets: readonly string[] = []): { readonly log: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, log: createLogger("planner", secrets, level, (line) => void lines.push(line)) };
}

describe("a logger", () => {
  it("writes a line of JSON with its name, level, time, fields and message", () => {
    const { log, lines } = keepLines("info");
    log.child({ cluster: "east" }).info({ run: "abc" }, "started");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "info",
      name: "planner",
      cluster: "east",
      run: "abc",
      msg: "started",
      time: expect.stringMatching(/^\d{4}-/) as string,
    });
    expect(lines[0]?.endsWith("}\n")).toBe(true);
  });

  const levels = [
    { level: "debug", wantLines: 3 },
    { level: "info", wantLines: 2 },
    { level: "warn", wantLines: 1 },
    { level: "silent", wantLines: 0 },
    { level: "loud", wantLines: 2 },
  ];
  it.each(levels)("at $level keeps $wantLines of debug, info and warn", ({ level, wantLines }) => {
    const { log, lines } = keepLines(level);
    log.debug("d");
    log.info("i");
    log.warn("w");
    expect(lines).toHaveLength(wantLines);
  });

  it("prints an error with its stack and what caused it", () => {
    const { log, lines } = keepLines("info");
    log.error({ error: new Error("outer", { cause: new Error("inner") }) }, "failed");
    expect(lines[0]).toContain("outer");
    expect(lines[0]).toContain("inner");
    expect(lines[0]).toContain("logger.test.ts");
  });

  it("shows no secret, given or read from the environment, in a field, a message or an error", () => {
    const { log, lines } = keepLines("info", ["given-secret"]);
    const own = new Secret("own-secret");
    log.info({ header: "given-secret", own }, `${own.reveal()} in a message`);
    log.error({ error: new Error(`fetch https://me:own-secret@host failed`) }, "failed");
    expect(lines).toHaveLength(2);
    expect(lines.join("")).not.toMatch(/given-secret|own-secret/);
  });
});
