import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { cleanLine } from "#libs/input";
import { annotationKeys } from "./annotations.ts";
import {
  type FailureAnnotation,
  type Previous,
  type RunAnnotation,
  renderFailureAnnotation,
  renderPrevious,
  renderRunAnnotation,
} from "./marks.ts";
import { parseAnnotations } from "./parse-marks.ts";
import { parseRestartedFor, renderRestartedFor } from "./restarted-for.ts";

const run = "0123456789ab 1-25-2";
const failedText = "1-25-2 ReadinessTimeout 2026-11-20T10:00:00Z";
const failedMark = { revision: "1-25-2", reason: "ReadinessTimeout", at: "2026-11-20T10:00:00Z" };

const readable: Record<string, { readonly annotations: Record<string, string>; readonly want: object }> = {
  "no marks": { annotations: {}, want: { sail: {} } },
  "a run": {
    annotations: { [annotationKeys.run]: run },
    want: { sail: {}, run: { run: "0123456789ab", target: "1-25-2", unhealthyBefore: false, attempt: 1 } },
  },
  "the third try, of a workload that was unhealthy before": {
    annotations: { [annotationKeys.run]: `${run} UnhealthyBefore #3` },
    want: { sail: {}, run: { run: "0123456789ab", target: "1-25-2", unhealthyBefore: true, attempt: 3 } },
  },
  "a failure": {
    annotations: { [annotationKeys.failed]: "1-25-2 ReadinessTimeout 2026-11-20T10:00:00.123Z" },
    want: {
      sail: {},
      failed: { revision: "1-25-2", reason: "ReadinessTimeout", at: "2026-11-20T10:00:00.123Z" },
    },
  },
  "a failure that was not undone": {
    annotations: { [annotationKeys.failed]: `${failedText} RevisionMissing 1-24-5` },
    want: {
      sail: {},
      failed: { ...failedMark, notPutBack: { code: "RevisionMissing", revision: "1-24-5" } },
    },
  },
  "a failure that was not undone, with what its pods said": {
    annotations: {
      [annotationKeys.failed]: `${failedText} RevisionMissing 1-24-5 {"code":"CreateRefused","message":"{no}"}`,
    },
    want: {
      sail: {},
      failed: {
        ...failedMark,
        notPutBack: { code: "RevisionMissing", revision: "1-24-5" },
        cause: { code: "CreateRefused", message: "{no}" },
      },
    },
  },
  "a failure whose cause is damaged counts without it": {
    annotations: { [annotationKeys.failed]: `${failedText} {"code":"Crash"` },
    want: { sail: {}, failed: failedMark },
  },
  "an opt-out with its reason": {
    annotations: { [annotationKeys.optOut]: "until Q1" },
    want: { sail: {}, optOut: "until Q1" },
  },
  "an opt-out that says false": { annotations: { [annotationKeys.optOut]: "false" }, want: { sail: {} } },
  "a budget that its owner ignores": {
    annotations: { [annotationKeys.ignoreBudget]: "a cache" },
    want: { sail: {}, ignoreBudget: "a cache" },
  },
  "a budget that its owner heeds": {
    annotations: { [annotationKeys.ignoreBudget]: "false" },
    want: { sail: {}, ignoreBudget: false },
  },
  "a pin": { annotations: { [annotationKeys.pin]: "1-24-5" }, want: { sail: {}, pin: "1-24-5" } },
  "a move that is through": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.previous]: "{}", [annotationKeys.arrived]: run },
    want: {
      sail: {},
      run: { run: "0123456789ab", target: "1-25-2", unhealthyBefore: false, attempt: 1 },
      previous: {},
      arrived: true,
    },
  },
  "an arrival of another move": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.previous]: "{}", [annotationKeys.arrived]: `${run} #2` },
    want: {
      sail: {},
      run: { run: "0123456789ab", target: "1-25-2", unhealthyBefore: false, attempt: 1 },
      previous: {},
    },
  },
  "a move that was through, and undone since": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.arrived]: run },
    want: { sail: {}, run: { run: "0123456789ab", target: "1-25-2", unhealthyBefore: false, attempt: 1 } },
  },
  "Sail's annotations": {
    annotations: { "sailoperator.io/readiness-timeout": "10m", "meshroll.dev/migration-batch": "2" },
    want: { sail: { readinessTimeout: 600_000, migrationBatch: 2 } },
  },
};

const unreadable: Record<string, { readonly annotations: Record<string, string>; readonly want: string }> = {
  "an invalid run id": { annotations: { [annotationKeys.run]: "abc 1-25-2" }, want: annotationKeys.run },
  "a run without a revision": { annotations: { [annotationKeys.run]: "0123456789ab" }, want: annotationKeys.run },
  "a run with words after it": { annotations: { [annotationKeys.run]: `${run} please` }, want: annotationKeys.run },
  "a try 0": { annotations: { [annotationKeys.run]: `${run} #0` }, want: annotationKeys.run },
  "a revision that no label can hold": {
    annotations: { [annotationKeys.run]: "0123456789ab a/b" },
    want: annotationKeys.run,
  },
  "a failure without a time": {
    annotations: { [annotationKeys.failed]: "1-25-2 ReadinessTimeout" },
    want: annotationKeys.failed,
  },
  "a failure with a reason against the undo, but not its revision": {
    annotations: { [annotationKeys.failed]: "1-25-2 ReadinessTimeout 2026-11-20T10:00:00Z RevisionMissing" },
    want: annotationKeys.failed,
  },
  "a failure that was not undone to a revision that no label can hold": {
    annotations: { [annotationKeys.failed]: "1-25-2 ReadinessTimeout 2026-11-20T10:00:00Z RevisionMissing a/b" },
    want: annotationKeys.failed,
  },
  "an empty failure": { annotations: { [annotationKeys.failed]: "" }, want: annotationKeys.failed },
  "an empty pin": { annotations: { [annotationKeys.pin]: "" }, want: annotationKeys.pin },
  "previous that is not JSON": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.previous]: "{" },
    want: annotationKeys.previous,
  },
  "previous that is a list": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.previous]: "[]" },
    want: annotationKeys.previous,
  },
  "previous that is null": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.previous]: "null" },
    want: annotationKeys.previous,
  },
  "previous without the run that wrote it": {
    annotations: { [annotationKeys.previous]: '{"labels":{"istio.io/rev":"a"}}' },
    want: annotationKeys.previous,
  },
  "previous that would make us write a label that is not ours": {
    annotations: {
      [annotationKeys.run]: run,
      [annotationKeys.previous]: '{"labels":{"pod-security.kubernetes.io/enforce":"privileged"}}',
    },
    want: annotationKeys.previous,
  },
  "previous that would make us write a field that is not ours": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.previous]: '{"template":{"spec":{"hostNetwork":true}}}' },
    want: annotationKeys.previous,
  },
  "previous with a value that no label can hold": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.previous]: '{"labels":{"istio.io/rev":"a b"}}' },
    want: annotationKeys.previous,
  },
  "previous with a number": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.previous]: '{"template":{"labels":{"istio.io/rev":1}}}' },
    want: annotationKeys.previous,
  },
  "previous with a key from the prototype": {
    annotations: { [annotationKeys.run]: run, [annotationKeys.previous]: '{"labels":{"__proto__":"a"}}' },
    want: annotationKeys.previous,
  },
};

const revision = fc.constantFrom("1-24-5", "1.20", "007", "a", "Canary_2", "x".repeat(63));
const attempt = fc.integer({ min: 1, max: 99_999 });
const token = fc.tuple(revision, attempt).map(([name, n]) => renderRestartedFor(name, n));
const runAnnotation: fc.Arbitrary<RunAnnotation> = fc.record({
  run: fc.stringMatching(/^[0-9a-f]{12}$/),
  target: revision,
  unhealthyBefore: fc.boolean(),
  attempt,
});
const message = fc.string({ minLength: 1, maxLength: 40 }).map((text) => cleanLine(`x${text}`));
const cause = message.map((text) => ({ code: "CreateRefused", message: text }) as const);
const failureAnnotation: fc.Arbitrary<FailureAnnotation> = fc.record(
  {
    revision,
    reason: fc.constantFrom("ReadinessTimeout", "RevisionMismatch", "ProgressDeadlineExceeded"),
    at: fc.constantFrom("2026-11-20T10:00:00Z", "2026-11-20T10:00:00.5Z"),
    cause,
  },
  { requiredKeys: ["revision", "reason", "at"] },
);
const fields = (key: string, value: fc.Arbitrary<string>) => fc.option(value).map((chosen) => ({ [key]: chosen }));
const previous: fc.Arbitrary<Previous> = fc.record(
  {
    template: fc.record(
      { labels: fields("istio.io/rev", revision), annotations: fields(annotationKeys.restartedFor, token) },
      { requiredKeys: [] },
    ),
    labels: fields("istio-injection", fc.constantFrom("enabled", "disabled")),
  },
  { requiredKeys: [] },
);

const ran = { run: "0123456789ab", target: "1-25-2", unhealthyBefore: false, attempt: 1 };
const failure = "1-25-2 ReadinessTimeout 2026-11-20T10:00:00Z";

describe("annotations that another field manager wrote", () => {
  const all = { [annotationKeys.run]: run, [annotationKeys.failed]: failure };
  const through = { [annotationKeys.run]: run, [annotationKeys.previous]: "{}", [annotationKeys.arrived]: run };
  const hand = (key: string) => ({ key, revision: "1-25-2", by: "helm" });
  const cases = {
    "none: all are ours": { annotations: all, marksBy: {}, want: { run: ran, failed: failedMark } },
    "the failure": {
      annotations: all,
      marksBy: { [annotationKeys.failed]: "helm" },
      want: { run: ran, byHand: hand(annotationKeys.failed) },
    },
    "the run of a failure": {
      annotations: all,
      marksBy: { [annotationKeys.run]: "helm" },
      want: { run: ran, runByHand: true, byHand: hand(annotationKeys.failed) },
    },
    "the arrival": {
      annotations: through,
      marksBy: { [annotationKeys.arrived]: "helm" },
      want: { run: ran, previous: {}, byHand: hand(annotationKeys.arrived) },
    },
    "an arrival of another move is void, by any field manager": {
      annotations: { ...through, [annotationKeys.arrived]: `${run} #2` },
      marksBy: { [annotationKeys.arrived]: "helm" },
      want: { run: ran, previous: {} },
    },
  };
  it.each(Object.entries(cases))("%s", (_, { annotations, marksBy, want }) => {
    expect(parseAnnotations({ annotations, marksBy })).toEqual({ kind: "read", sail: {}, ...want });
  });
});

describe("parseAnnotations", () => {
  it.each(Object.entries(readable))("reads %s", (_, { annotations, want }) => {
    expect(parseAnnotations({ annotations })).toEqual({ kind: "read", ...want });
  });

  it.each(Object.entries(unreadable))("refuses, and never throws: %s", (_, { annotations, want }) => {
    const marks = parseAnnotations({ annotations });
    expect(marks).toMatchObject({ kind: "unreadable", key: want });
  });

  it("parses what was rendered", () => {
    fc.assert(
      fc.property(runAnnotation, failureAnnotation, previous, (ran, failed, before) => {
        const annotations = {
          [annotationKeys.run]: renderRunAnnotation(ran),
          [annotationKeys.failed]: renderFailureAnnotation(failed),
          [annotationKeys.previous]: renderPrevious(before),
        };
        expect(parseAnnotations({ annotations })).toEqual({
          kind: "read",
          run: ran,
          failed,
          previous: before,
          sail: {},
        });
      }),
    );
  });

  it("never throws on text by people, and never lets a foreign key through", () => {
    const text = fc.oneof(fc.string(), fc.json());
    fc.assert(
      fc.property(text, text, text, (ran, failed, before) => {
        const marks = parseAnnotations({
          annotations: {
            [annotationKeys.run]: ran,
            [annotationKeys.failed]: failed,
            [annotationKeys.previous]: before,
          },
        });
        expect(["read", "unreadable"]).toContain(marks.kind);
      }),
    );
  });
});

describe("restarted-for", () => {
  it("parses what was rendered, and shows a number only for the try after a retry", () => {
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
