import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readSailAnnotations } from "./sail-marks.ts";

const sail = "sailoperator.io";
const ours = "meshroll.dev";

const readable: Record<string, { readonly annotations: Record<string, string>; readonly want: object }> = {
  none: { annotations: { [`${ours}/pin`]: "1-25-2" }, want: {} },
  "all three in Sail's words": {
    annotations: {
      [`${sail}/skip-migration`]: "true",
      [`${sail}/readiness-timeout`]: "10s",
      [`${sail}/migration-batch`]: "3",
    },
    want: { skipMigration: `${sail}/skip-migration`, readinessTimeout: 10_000, migrationBatch: 3 },
  },
  "all three in ours": {
    annotations: {
      [`${ours}/skip-migration`]: "true",
      [`${ours}/readiness-timeout`]: "1h30m",
      [`${ours}/migration-batch`]: "-2",
    },
    want: { skipMigration: `${ours}/skip-migration`, readinessTimeout: 5_400_000, migrationBatch: -2 },
  },
  "skip-migration that says false": { annotations: { [`${sail}/skip-migration`]: "false" }, want: {} },
  "both prefixes that say the same": {
    annotations: { [`${sail}/readiness-timeout`]: "60s", [`${ours}/readiness-timeout`]: "1m" },
    want: { readinessTimeout: 60_000 },
  },
};

const malformed: Record<string, { readonly annotations: Record<string, string>; readonly key: string }> = {
  "skip-migration in other words": {
    annotations: { [`${sail}/skip-migration`]: "yes" },
    key: `${sail}/skip-migration`,
  },
  "an empty skip-migration": { annotations: { [`${ours}/skip-migration`]: "" }, key: `${ours}/skip-migration` },
  "a timeout without a unit": {
    annotations: { [`${sail}/readiness-timeout`]: "10" },
    key: `${sail}/readiness-timeout`,
  },
  "a timeout of 0": { annotations: { [`${sail}/readiness-timeout`]: "0s" }, key: `${sail}/readiness-timeout` },
  "a negative timeout": {
    annotations: { [`${ours}/readiness-timeout`]: "-5m" },
    key: `${ours}/readiness-timeout`,
  },
  "a timeout above the limit": {
    annotations: { [`${ours}/readiness-timeout`]: "999999999d" },
    key: `${ours}/readiness-timeout`,
  },
  "a batch that is not a whole number": {
    annotations: { [`${sail}/migration-batch`]: "1.5" },
    key: `${sail}/migration-batch`,
  },
  "a batch with blanks": { annotations: { [`${sail}/migration-batch`]: " 3" }, key: `${sail}/migration-batch` },
  "a batch in words": { annotations: { [`${ours}/migration-batch`]: "first" }, key: `${ours}/migration-batch` },
  "prefixes that contradict each other": {
    annotations: { [`${sail}/skip-migration`]: "true", [`${ours}/skip-migration`]: "false" },
    key: `${ours}/skip-migration`,
  },
};

describe("readSailAnnotations", () => {
  it.each(Object.entries(readable))("reads %s", (_, { annotations, want }) => {
    expect(readSailAnnotations(annotations)).toEqual(want);
  });

  it.each(Object.entries(malformed))("names without guessing: %s", (_, { annotations, key }) => {
    const marks = readSailAnnotations(annotations);
    expect(marks.malformed).toEqual({
      key,
      why: expect.stringMatching(/^(it is not|.* says something else)/) as string,
    });
    expect(marks).not.toHaveProperty("migrationBatch");
    expect(marks).not.toHaveProperty("readinessTimeout");
  });

  it("still reads valid annotations next to invalid ones", () => {
    const annotations = { [`${sail}/migration-batch`]: "x", [`${sail}/readiness-timeout`]: "10s" };
    expect(readSailAnnotations(annotations)).toMatchObject({
      readinessTimeout: 10_000,
      malformed: { key: `${sail}/migration-batch` },
    });
  });

  it("never throws, and returns a number only for text that looks like one", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (batch, wait) => {
        const marks = readSailAnnotations({ [`${sail}/migration-batch`]: batch, [`${ours}/readiness-timeout`]: wait });
        expect([batch, "undefined"]).toContain(String(marks.migrationBatch));
        expect(marks.readinessTimeout ?? 1).toBeGreaterThan(0);
      }),
    );
  });
});
