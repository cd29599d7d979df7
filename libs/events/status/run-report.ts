import { isRunId } from "#libs/input";
import type { RunReport } from "#libs/plan";
import { z } from "zod";

import { runId } from "../forms.ts";
import { cleanText } from "./status.ts";

/** Keys of KV `status` with the reports of runs: `runs.<id>`. */
export const runKeys = "runs.*";
const prefix = "runs.";

/** A value of the bus is below 1 MiB. */
const mostCharacters = 1 << 20;

export function nameRunKey(id: string): string {
  return prefix + id;
}

/** The run's id; undefined for a key of another form. */
export function readRunKey(key: string): string | undefined {
  const id = key.slice(prefix.length);
  return key.startsWith(prefix) && isRunId(id) ? id : undefined;
}

const count = z.number().min(0);
/** What a date can show, in ms. */
const time = z.number().min(0).max(8.64e15);
const text = z.string();
const entry = z.looseObject({});

/** The most points, bars and gates that are read; a planner writes fewer. */
const mostRead = 1000;

const point = z.object({
  t: time,
  migrated: count,
  idle: count,
  migrating: count,
  pending: count,
  waiting: count,
  skipped: count,
});

const gateLine = z.object({
  name: text,
  when: z.enum(["before", "during", "after"]),
  limit: z.number().exactOptional(),
  every: count,
  points: z.array(z.tuple([time, z.number()])).max(mostRead),
});

const bar = z.object({
  cluster: text,
  batch: count.exactOptional(),
  of: count.exactOptional(),
  from: time,
  until: time,
  open: z.literal(true).exactOptional(),
});

/** A planner continues the series, so all of it is checked. */
const series = z.object({
  until: time.exactOptional(),
  progress: z.object({ every: count, points: z.array(point).max(mostRead) }),
  gates: z.array(gateLine).max(mostRead),
  batches: z.array(bar).max(mostRead),
  cutBatches: count.exactOptional(),
});

/** Of the rest, the fields that every reader relies on. Fields may be added; those of v1 never change. */
const report = z.looseObject({
  apiVersion: z.literal("meshroll.dev/v1"),
  kind: z.literal("RunReport"),
  at: text,
  record: z.looseObject({
    id: runId,
    commit: text,
    subject: text,
    author: text,
    startedAt: text,
    state: text,
    changes: z.array(z.looseObject({ pattern: text, from: text, to: text })),
    gates: z.array(z.looseObject({ name: text, verdict: text })),
    skipped: z.array(z.looseObject({ cluster: text, workload: text })).exactOptional(),
    differences: z.array(z.looseObject({ why: text, count, items: z.array(entry) })).exactOptional(),
    rollsBack: z.array(text).exactOptional(),
  }),
  now: z.looseObject({ id: runId, skipped: z.array(entry), clusters: z.array(entry) }).exactOptional(),
  gates: z.array(z.looseObject({ name: text, when: text, status: text })).exactOptional(),
  series,
});

/** KV `status`, key `runs.<id>`, without control characters for terminals, pages and logs. */
export function printRunReport(value: RunReport): string {
  return JSON.stringify(value, cleanText);
}

/** Undefined for anything but a report. Its texts are cleaned again, because other clients may write to the bus. */
export function readRunReport(value: string): RunReport | undefined {
  if (value.length > mostCharacters) return undefined;
  try {
    const parsed: unknown = JSON.parse(value, cleanText);
    // The schema checks only these fields; the rest is the planner's own and is used as it is.
    return report.safeParse(parsed).success ? (parsed as RunReport) : undefined;
  } catch {
    // Not JSON: a torn or foreign value; the next one is whole.
    return undefined;
  }
}
