import type { LedgerState, RunRecord, StopRecord } from "#libs/plan";
import { instant } from "#libs/events";
import { z } from "zod";

import { count, parseFile, run, stop, who, writeRecord } from "../records/records.ts";

/** One line of `past/runs/<month>/<day>.jsonl`: what decisions need of a run whose whole record is in the archive. */
const pastRun = run
  .pick({
    id: true,
    commit: true,
    before: true,
    order: true,
    startedAt: true,
    author: true,
    subject: true,
    buckets: true,
    changes: true,
    reseeded: true,
    converge: true,
    campaign: true,
    stage: true,
    list: true,
    state: true,
    endedAt: true,
  })
  // Open runs are live: an archived one could neither be moved on nor ended.
  .extend({ state: run.shape.state.exclude(["open"]) })
  .extend({
    counts: z
      .object({
        migrated: count,
        idle: count.exactOptional(),
        skipped: count,
        failed: count.exactOptional(),
        left: count.exactOptional(),
      })
      .exactOptional(),
  });

const pastStop = stop
  .pick({
    id: true,
    scope: true,
    strength: true,
    at: true,
    who: true,
    cause: true,
    stage: true,
    revertTo: true,
    now: true,
    rollbackOf: true,
    foundIn: true,
  })
  .extend({ resume: z.object({ at: instant, who }) });

/** One folder a month and one file a day, so that no folder and no file grows for years. */
function nameDay(at: string): string {
  const [, month, day] = /^(\d{4}-\d\d)-(\d\d)T/u.exec(at) ?? [];
  return month === undefined || day === undefined ? "undated/00" : `${month}/${day}`;
}

type Folder = "runs" | "stops";

/** Paths of the whole record, and of the file with its line. */
interface Place {
  readonly whole: string;
  readonly past: string;
}

function place(folder: Folder, id: string, at: string): Place {
  const day = nameDay(at);
  return { whole: `archive/${folder}/${day}/${id}.json`, past: `past/${folder}/${day}.jsonl` };
}

export function placeRun({ id, startedAt }: RunRecord): Place {
  return place("runs", id, startedAt);
}

export function placeStop({ id, at }: StopRecord): Place {
  return place("stops", id, at);
}

/** Path of a plan's list once its run is over. */
export function placePlan({ head, at }: LedgerState["plans"][string]): string {
  return `archive/plans/${nameDay(at)}/${head}.tsv`;
}

function printLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(writeRecord(record))}\n`).join("");
}

/** Leaves out clusters and `archived`, which the file's name says. */
export function printPastRuns(runs: readonly RunRecord[]): string {
  const sorted = runs.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
  const lines = sorted.map((each) => pastRun.parse({ ...each, ...countEnded(each) }));
  return printLines(lines);
}

/** Counts of a record that was read whole, else its stored counts. */
function countEnded({ outcome, counts }: RunRecord): Pick<RunRecord, "counts"> {
  if (outcome === undefined) return counts === undefined ? {} : { counts };
  const { migrated, idle, skipped, earlier = {}, left } = outcome;
  // As `countOutcome` of the plan, which an adapter may not import: what only a namespace's label affects is none of the run's.
  const own = skipped.filter(({ neighbour }) => neighbour !== true);
  const named = Object.values(earlier).reduce((sum, each) => sum + each, 0);
  const failed = own.filter((each) => each.failed === true).length;
  const skippedTotal = named + own.length;
  return {
    counts: {
      migrated,
      ...(idle === undefined ? {} : { idle }),
      skipped: skippedTotal,
      // Also 0: where it is absent though some were skipped, an earlier version did not write it.
      ...(skippedTotal === 0 ? {} : { failed }),
      ...(left === undefined ? {} : { left }),
    },
  };
}

export function printPastStops(stops: readonly StopRecord[]): string {
  const sorted = stops.toSorted((a, b) => (`${a.at} ${a.id}` < `${b.at} ${b.id}` ? -1 : 1));
  return printLines(sorted.map((each) => pastStop.parse(each)));
}

function parseLines<T>(schema: z.ZodType<T>, path: string, text: string): readonly T[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => parseFile(schema, path, line));
}

export function parsePastRuns(path: string, text: string): readonly RunRecord[] {
  return parseLines(pastRun, path, text).map((facts) => ({ ...facts, clusters: {}, archived: "facts" }));
}

export function parsePastStops(path: string, text: string): readonly StopRecord[] {
  return parseLines(pastStop, path, text).map(({ resume, ...facts }) => ({
    ...facts,
    why: "",
    resume: { ...resume, why: "" },
    archived: "facts",
  }));
}
