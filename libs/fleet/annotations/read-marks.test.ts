import { describe, expect, it } from "vitest";

import { readMarks } from "./read-marks.ts";

const at = "2026-11-20T10:00:00.000Z";
const run = "0123456789ab new";
const previous = JSON.stringify({ template: { labels: { "istio.io/rev": "old" } } });
const refuse = (text: string) => ({ run: text, why: "denied", at });
const asFailed = { revision: "new", reason: "WriteRefused", at, why: "denied" };

describe("our annotations together with a failure that the API server refused to record", () => {
  const cases = {
    "nothing was refused": { object: { annotations: { "meshroll.dev/run": run } }, failed: undefined, attempt: 1 },
    "a move was refused": {
      object: { annotations: {}, refused: refuse(`${run} #2`) },
      failed: asFailed,
      attempt: 2,
    },
    "a move was refused where an earlier run's annotation is": {
      object: {
        annotations: { "meshroll.dev/run": "ba9876543210 old", "meshroll.dev/previous": previous },
        refused: refuse(run),
      },
      failed: asFailed,
      attempt: 1,
    },
    "another try of a moving workload was refused": {
      object: {
        annotations: { "meshroll.dev/run": run, "meshroll.dev/previous": previous },
        refused: refuse(`${run} #2`),
      },
      failed: undefined,
      attempt: 1,
    },
    "a move of a workload that its owner marked was refused": {
      object: {
        annotations: { "meshroll.dev/run": run, "meshroll.dev/failed": `new Any ${at}` },
        marksBy: { "meshroll.dev/run": "helm" },
        refused: refuse(`${run} #2`),
      },
      failed: asFailed,
      attempt: 2,
    },
    "the refused annotation cannot be read": {
      object: { annotations: { "meshroll.dev/run": run }, refused: refuse("?") },
      failed: undefined,
      attempt: 1,
    },
  };
  it.each(Object.entries(cases))("%s", (_, { object, failed, attempt }) => {
    const marks = readMarks(object);
    expect(marks.kind === "read" && [marks.failed, marks.run?.attempt]).toEqual([failed, attempt]);
  });

  it("an annotation that a person broke stays unreadable", () => {
    const object = { annotations: { "meshroll.dev/run": "?" }, refused: refuse(run) };
    expect(readMarks(object).kind).toBe("unreadable");
  });
});
