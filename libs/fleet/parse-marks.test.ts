import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { markKeys } from "./annotations.ts";
import type { FailedMark, Previous, RunMark } from "./marks.ts";
import { parseMarks } from "./parse-marks.ts";
import { renderFailedMark, renderPrevious, renderRunMark } from "./render-marks.ts";
import { parseRestartedFor, renderRestartedFor } from "./restarted-for.ts";

const run = "0123456789ab 1-25-2";

const readable: Record<string, { readonly annotations: Record<string, string>; readonly want: object }> = {
  "no marks": { annotations: {}, want: { sail: {} } },
  "a run": {
    annotations: { [markKeys.run]: run },
    want: { sail: {}, run: { run: "0123456789ab", target: "1-25-2", unhealthyBefore: false, attempt: 1 } },
  },
  "the third try, of a workload that was unhealthy before": {
    annotations: { [markKeys.run]: `${run} UnhealthyBefore #3` },
    want: { sail: {}, run: { run: "0123456789ab", target: "1-25-2", unhealthyBefore: true, attempt: 3 } },
  },
  "a failure": {
    annotations: { [markKeys.failed]: "1-25-2 ReadinessTimeout 2026-11-20T10:00:00.123Z" },
    want: {
      sail: {},
      failed: { revision: "1-25-2", reason: "ReadinessTimeout", at: "2026-11-20T10:00:00.123Z" },
    },
  },
  "an opt-out with its reason": {
    annotations: { [markKeys.optOut]: "until Q1" },
    want: { sail: {}, optOut: "until Q1" },
  },
  "an opt-out that says false": { annotations: { [markKeys.optOut]: "false" }, want: { sail: {} } },
  "a pin": { annotations: { [markKeys.pin]: "1-24-5" }, want: { sail: {}, pin: "1-24-5" } },
  "Sail's annotations": {
    annotations: { "sailoperator.io/readiness-timeout": "10m", "meshroll.dev/migration-batch": "2" },
    want: { sail: { readinessTimeout: 600_000, migrationBatch: 2 } },
  },
};

const unreadable: Record<string, { readonly annotations: Record<string, string>; readonly want: string }> = {
  "a run id that is none": { annotations: { [markKeys.run]: "abc 1-25-2" }, want: markKeys.run },
  "a run without a revision": { annotations: { [markKeys.run]: "0123456789ab" }, want: markKeys.run },
  "a run with words after it": { annotations: { [markKeys.run]: `${run} please` }, want: markKeys.run },
  "a try 0": { annotations: { [markKeys.run]: `${run} #0` }, want: markKeys.run },
  "a revision that no label can hold": { annotations: { [markKeys.run]: "0123456789ab a/b" }, want: markKeys.run },
  "a failure without a time": { annotations: { [markKeys.failed]: "1-25-2 ReadinessTimeout" }, want: markKeys.failed },
  "an empty failure": { annotations: { [markKeys.failed]: "" }, want: markKeys.failed },
  "an empty pin": { annotations: { [markKeys.pin]: "" }, want: markKeys.pin },
  "previous that is no JSON": {
    annotations: { [markKeys.run]: run, [markKeys.previous]: "{" },
    want: markKeys.previous,
  },
  "previous that is a list": {
    annotations: { [markKeys.run]: run, [markKeys.previous]: "[]" },
    want: markKeys.previous,
  },
  "previous that is null": {
    annotations: { [markKeys.run]: run, [markKeys.previous]: "null" },
    want: markKeys.previous,
  },
  "previous without the run that wrote it": {
    annotations: { [markKeys.previous]: '{"labels":{"istio.io/rev":"a"}}' },
    want: markKeys.previous,
  },
  "previous that would make us write a label that is not ours": {
    annotations: {
      [markKeys.run]: run,
      [markKeys.previous]: '{"labels":{"pod-security.kubernetes.io/enforce":"privileged"}}',
    },
    want: markKeys.previous,
  },
  "previous that would make us write a field that is not ours": {
    annotations: { [markKeys.run]: run, [markKeys.previous]: '{"template":{"spec":{"hostNetwork":true}}}' },
    want: markKeys.previous,
  },
  "previous with a value that no label can hold": {
    annotations: { [markKeys.run]: run, [markKeys.previous]: '{"labels":{"istio.io/rev":"a b"}}' },
    want: markKeys.previous,
  },
  "previous with a number": {
    annotations: { [markKeys.run]: run, [markKeys.previous]: '{"template":{"labels":{"istio.io/rev":1}}}' },
    want: markKeys.previous,
  },
  "previous with a key from the prototype": {
    annotations: { [markKeys.run]: run, [markKeys.previous]: '{"labels":{"__proto__":"a"}}' },
    want: markKeys.previous,
  },
};

const revision = fc.constantFrom("1-24-5", "1.20", "007", "a", "Canary_2", "x".repeat(63));
const attempt = fc.integer({ min: 1, max: 99_999 });
const token = fc.tuple(revision, attempt).map(([name, n]) => renderRestartedFor(name, n));
const runMark: fc.Arbitrary<RunMark> = fc.record({
  run: fc.stringMatching(/^[0-9a-f]{12}$/),
  target: revision,
  unhealthyBefore: fc.boolean(),
  attempt,
});
const failedMark: fc.Arbitrary<FailedMark> = fc.record({
  revision,
  reason: fc.constantFrom("ReadinessTimeout", "RevisionMismatch", "ProgressDeadlineExceeded"),
  at: fc.constantFrom("2026-11-20T10:00:00Z", "2026-11-20T10:00:00.5Z"),
});
const fields = (key: string, value: fc.Arbitrary<string>) => fc.option(value).map((chosen) => ({ [key]: chosen }));
const previous: fc.Arbitrary<Previous> = fc.record(
  {
    template: fc.record(
      { labels: fields("istio.io/rev", revision), annotations: fields(markKeys.restartedFor, token) },
      { requiredKeys: [] },
    ),
    labels: fields("istio-injection", fc.constantFrom("enabled", "disabled")),
  },
  { requiredKeys: [] },
);

describe("parseMarks", () => {
  it.each(Object.entries(readable))("reads %s", (_, { annotations, want }) => {
    expect(parseMarks(annotations)).toEqual({ kind: "read", ...want });
  });

  it.each(Object.entries(unreadable))("refuses, and never throws: %s", (_, { annotations, want }) => {
    const marks = parseMarks(annotations);
    expect(marks).toMatchObject({ kind: "unreadable", key: want });
  });

  it("reads back what is rendered", () => {
    fc.assert(
      fc.property(runMark, failedMark, previous, (ran, failed, before) => {
        const annotations = {
          [markKeys.run]: renderRunMark(ran),
          [markKeys.failed]: renderFailedMark(failed),
          [markKeys.previous]: renderPrevious(before),
        };
        expect(parseMarks(annotations)).toEqual({
          kind: "read",
          run: ran,
          failed,
          previous: before,
          sail: {},
        });
      }),
    );
  });

  it("never throws on what people write, and never lets a foreign key through", () => {
    const text = fc.oneof(fc.string(), fc.json());
    fc.assert(
      fc.property(text, text, text, (ran, failed, before) => {
        const marks = parseMarks({
          [markKeys.run]: ran,
          [markKeys.failed]: failed,
          [markKeys.previous]: before,
        });
        expect(["read", "unreadable"]).toContain(marks.kind);
      }),
    );
  });
});

describe("restarted-for", () => {
  it("reads back what is rendered, and only the try after a retry shows a number", () => {
    fc.assert(
      fc.property(revision, attempt, (name, n) => {
        expect(parseRestartedFor(renderRestartedFor(name, n))).toEqual({ revision: name, attempt: n });
      }),
    );
    expect(renderRestartedFor("1-25-2", 1)).toBe("1-25-2");
    expect(renderRestartedFor("1-25-2", 2)).toBe("1-25-2#2");
  });

  it.each(["", "#2", "1-25-2#", "1-25-2#0", "1-25-2#x", "a b"])("is not ours: %j", (text) => {
    expect(parseRestartedFor(text)).toBeUndefined();
  });
});
