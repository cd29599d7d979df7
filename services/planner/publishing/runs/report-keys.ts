import type { KeyValue } from "#libs/bus";
import { nameRunKey, readRunKey, readRunReport, runKeys } from "#libs/events";
import type { RunReport } from "#libs/plan";

/** The report that this planner, or one before it, wrote; undefined where there is none, or none of ours. */
export async function readReport(bucket: KeyValue, id: string): Promise<RunReport | undefined> {
  const value = (await bucket.get(nameRunKey(id)))?.value;
  const report = value === undefined ? undefined : readRunReport(value);
  return report?.record.id === id ? report : undefined;
}

/** The runs that have a key. */
export async function listReported(bucket: KeyValue): Promise<ReadonlySet<string>> {
  return new Set([...(await bucket.keys(runKeys))].flatMap((key) => readRunKey(key) ?? []));
}

/** Removes a key without a marker, which would stay for ever; a key that is written meanwhile stays. */
export async function removeReport(bucket: KeyValue, id: string, leads: () => boolean): Promise<void> {
  const entry = await bucket.get(nameRunKey(id));
  if (entry !== undefined && leads()) await bucket.sweep(nameRunKey(id), entry.revision + 1);
}
