import { describe, expect, it } from "vitest";

import { createLogger, type Logger } from "./logger.ts";
import { Secret } from "../secrets/secret.ts";

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

/** A value that was never registered as a secret, as of a library, a kubeconfig or a URL. */
const planted = ["ghp", "Q7hW2mZk9TxR4vLb8NcY"].join("_");
const basic = Buffer.from(`x-access-token:${planted}`).toString("base64");

function makeErrors(): readonly Error[] {
  const inner = Object.assign(new Error(`fetch https://me:${planted}@host/x failed`), {
    request: { headers: { authorization: `Basic ${basic}`, cookie: `session=${planted}` } },
  });
  const stack = new Error("with a stack of its own");
  stack.stack = `Error: no\n    at git -c http.extraHeader="Authorization: Basic ${basic}" (https://${planted}@host/x)`;
  return [inner, stack, new Error("outer", { cause: inner }), new AggregateError([inner, stack], "several")];
}

describe.each(["planner", "executor", "notifier", "api", "cli"])("the logger of %s", (name) => {
  const plants: readonly { readonly where: string; readonly fields: object; readonly text?: string }[] = [
    { where: "a URL", fields: { url: `https://user:${planted}@host/x` } },
    { where: "a URL without a user", fields: { url: `https://${planted}@host/x` } },
    { where: "a query", fields: { url: `https://host/x?access_token=${planted}` } },
    { where: "a header", fields: { headers: { Authorization: `Bearer ${planted}` } } },
    { where: "raw headers", fields: { rawHeaders: ["Authorization", `Basic ${basic}`] } },
    { where: "a nested object", fields: { a: [{ b: { c: { token: planted } } }] } },
    { where: "the message", fields: {}, text: `pushing to https://user:${planted}@host/x` },
    ...makeErrors().flatMap((error) => [
      { where: `error "${error.message.slice(0, 12)}"`, fields: { error } },
      { where: `err "${error.message.slice(0, 12)}"`, fields: { err: error } },
      { where: `fault "${error.message.slice(0, 12)}"`, fields: { fault: { why: error.message, stack: error.stack } } },
    ]),
  ];
  it.each(plants)("shows no token in $where", ({ fields, text = "said" }) => {
    const lines: string[] = [];
    const log = createLogger(name, [], "debug", (line) => void lines.push(line));
    log.info(fields, text);
    log.child(fields as Record<string, unknown>).error(text);
    expect(lines).toHaveLength(2);
    for (const part of [planted, planted.slice(4), basic]) expect(lines.join("")).not.toContain(part);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ name, msg: expect.any(String) as string });
  });
});
