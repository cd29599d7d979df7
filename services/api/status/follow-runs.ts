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

/** A planner has fewer; foreign keys must not fill the memory. The ones that were written last stay. */
const mostKept = 200;

/** Follows KV `status`, keys `runs.*`. `onChange` gets a stamp that is another one after each written report. */
export async function followRuns(
  bucket: KeyValue,
  onChange: (stamp: string) => void,
  signal: AbortSignal,
): Promise<RunsView> {
  const reports = new Map<string, StampedReport>();

  function take({ key, value, revision }: Entry): void {
    const id = readRunKey(key);
    // A deleted key, or a wiped bucket, removes nothing: the last report stays, and its time shows its age.
    if (id === undefined || value === undefined) return;
    const report = readRunReport(value);
    if (report?.record.id !== id) return;
    // The bus counts its writes, so the stamps are the same from every api.
    const stamp = String(revision);
    reports.delete(id);
    reports.set(id, { stamp, text: printRunReport(report) });
    for (const oldest of reports.keys()) if (reports.size > mostKept) reports.delete(oldest);
    onChange(stamp);
  }

  await bucket.watch(runKeys, { onEntry: take, onReady: () => undefined, onReset: () => undefined }, signal);
  return { report: (id) => reports.get(id), isKnown: () => reports.size > 0 };
}
