import { expect, test } from "vitest";

import { makeEvent } from "#libs/events";
import { writeText } from "#libs/wording";

import { createJsonLines } from "./json-lines.ts";
import { makeStatus, run, untouched } from "../test-status.ts";

function open() {
  const written = { out: "", err: "", monotonic: 0 };
  const clock = { now: () => Date.UTC(2026, 10, 21, 15, 14), monotonic: () => written.monotonic };
  const out = { write: (text: string) => (written.out += text) };
  const err = { write: (text: string) => (written.err += text) };
  return { written, display: createJsonLines(out, err, clock) };
}

interface Line {
  readonly kind: string;
  readonly status?: { readonly runs: readonly unknown[] };
}

function readLines(text: string): readonly Line[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

test("stdout is one JSON object per line, by kind; what people read is on stderr", () => {
  const { written, display } = open();
  const event = makeEvent("stopResumed", "x", 0, { stops: ["a"], who: "ana", why: "fixed\nat last" });
  display.say("two\nlines");
  display.showStatus(makeStatus());
  display.showEvent(event);
  display.suggest([{ what: "look", command: "npx meshroll status" }]);
  display.leave();
  display.summarise("for people", { writes: 3 });
  expect(readLines(written.out)).toEqual([
    { kind: "said", at: "2026-11-21T15:14:00.000Z", text: "two\nlines" },
    { kind: "status", status: makeStatus() },
    { kind: "event", event },
    { kind: "next", steps: [{ what: "look", command: "npx meshroll status" }] },
    { kind: "summary", summary: { writes: 3 } },
  ]);
  for (const text of ["two\nlines", "resumed a", "npx meshroll status", "for people"])
    expect(written.err).toContain(text);
});

test("a status is written when it changed, and at most once a second while something is going on", () => {
  const { written, display } = open();
  const going = makeStatus({ runs: [run(untouched)] });
  display.showStatus(makeStatus());
  display.showStatus(makeStatus({ at: "2026-11-21T15:23:00.000Z", wroteAt: 1 }));
  written.monotonic = 500;
  display.showStatus(going);
  written.monotonic = 1500;
  display.showStatus(going);
  // The last status is written also within the second.
  display.showStatus(makeStatus({ next: [{ event: "Nothing", text: writeText("over") }] }));
  expect(readLines(written.out).map(({ status }) => status?.runs.length)).toEqual([0, 1, 0]);
});
