import { createHash } from "node:crypto";

import type { Entry, KeyValue } from "#libs/bus";
import { printRunReport, readRunKey, readRunReport, runKeys } from "#libs/events";

/** A run's report as text, and a name for it: another one means that something was written since. */
export interface StampedReport {
  readonly stamp: string;
  readonly text: string;
}

/** The planner's reports of runs, as this process saw them last. */
export interface RunsView {
  /** Undefined where none of this run was seen. */
  report(id: string): StampedReport | undefined;
  /** Whether any was seen. */
  isKnown(): boolean;
}

/** A planner writes up to 550 reports, most of a few kB: foreign keys must not fill the memory. Characters of all. */
const mostCharacters = 64 * 1024 * 1024;

interface Kept extends StampedReport {
  readonly isOpen: boolean;
}

/** Follows KV `status`, keys `runs.*`. `onChange` gets a stamp that is another one after each changed report. */
export async function followRuns(
  bucket: KeyValue,
  onChange: (stamp: string) => void,
  signal: AbortSignal,
): Promise<RunsView> {
  // By when they were written, the oldest first.
  const reports = new Map<string, Kept>();
  let characters = 0;

  function remove(id: string): void {
    characters -= reports.get(id)?.text.length ?? 0;
    reports.delete(id);
  }

  /** Ended runs go first: the ledger has them. */
  function shorten(): void {
    for (const [id, { isOpen }] of reports) if (characters > mostCharacters && !isOpen) remove(id);
    for (const id of reports.keys()) if (characters > mostCharacters) remove(id);
  }

  function take({ key, value }: Entry): void {
    const id = readRunKey(key);
    // A deleted key, or a wiped bucket, removes nothing: the last report stays, and its time shows its age.
    if (id === undefined || value === undefined) return;
    const report = readRunReport(value);
    if (report?.record.id !== id) return;
    const text = printRunReport(report);
    // By the text: the stamps are the same from every api, and a wiped bus, which counts from the start, repeats none.
    const stamp = createHash("sha256").update(text).digest("hex").slice(0, 16);
    remove(id);
    reports.set(id, { stamp, text, isOpen: report.record.state === "open" });
    characters += text.length;
    shorten();
    onChange(stamp);
  }

  await bucket.watch(runKeys, { onEntry: take, onReady: () => undefined, onReset: () => undefined }, signal);
  return { report: (id) => reports.get(id), isKnown: () => reports.size > 0 };
}
