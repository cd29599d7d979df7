const longest = 366 * 24 * 3_600_000;
const form = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?(?:(\d{1,9})ms)?$/;
const unitMs = [86_400_000, 3_600_000, 60_000, 1000, 1];

/**
 * `30s`, `1h30m`, `500ms` -> ms; undefined for anything else. The form of durations in `meshroll.yml`, repeated because this
 * lib imports no other; a test compares the two.
 */
export function parseWait(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null || text === "") return undefined;
  const ms = unitMs.reduce((sum, unit, index) => sum + unit * Number(match[index + 1] ?? 0), 0);
  return ms <= longest ? ms : undefined;
}
