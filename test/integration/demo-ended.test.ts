import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { openSlack } from "#libs/chat";

import { createPlainLines } from "../../sandbox/demo/display/plain-lines.ts";
import { runDemo } from "../../sandbox/demo/run-demo.ts";
import { type DemoEnvironment, startEnvironment } from "../../sandbox/demo/world/start-world.ts";
import { slackChannel, slackToken } from "../../sandbox/demo/world/users.ts";

const folder = mkdtempSync(join(tmpdir(), "meshroll-demo-ended-"));
let environment: DemoEnvironment | undefined;

afterEach(async () => {
  await environment?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// The demo's people are left out, because the time of the first check on a busy machine does not matter here.
test("a demo that Ctrl-C ends keeps what Slack was told until then", async () => {
  const made = await startEnvironment({ folder, factor: 60, namespaces: 60, log: () => undefined });
  environment = made;
  const stop = new AbortController();
  const lines: string[] = [];
  const display = createPlainLines({ write: (line: string) => lines.push(line) }, made.clock);
  const options = { yes: false, wipe: false, signal: stop.signal, onPlanted: () => undefined };
  const ended = runDemo(made, display, options).then(
    () => "to its end",
    (error: unknown) => String(error),
  );
  await expect.poll(() => lines.join(""), { timeout: 150_000, interval: 100 }).toContain("the page:");
  const slack = openSlack({ token: slackToken, apiUrl: made.slack.url, spacingMs: 0, timeoutMs: 20_000 });
  const text = "production: 5 to 25: running";
  await slack
    .open(slackChannel)
    .post({ text, blocks: [{ kind: "section", text }], marker: { key: "run/abcdefabcdef" } });
  stop.abort(new Error("stopped by SIGINT"));
  expect(await ended).toContain("stopped by SIGINT");
  expect(readFileSync(join(folder, "slack.txt"), "utf8")).toBe(`● meshroll\n  ${text}\n`);
});
