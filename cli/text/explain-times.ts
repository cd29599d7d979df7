import { printTime, type TimeOptions } from "./print-time.ts";

/** The times of a sentence, as statuses write them. */
const iso = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;

/** A sentence with its times in the reader's zone: `2026-11-20T13:26:00.000Z` reads `2026-11-20 14:26:00 CET`. */
export function tellTimes(text: string, options: TimeOptions = {}): string {
  return text.replaceAll(iso, (time) => printTime(Date.parse(time), options));
}
