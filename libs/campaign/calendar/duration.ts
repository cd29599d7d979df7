/** The longest accepted duration: a typo such as `30000h` should be refused. */
const longest = 366 * 24 * 3_600_000;

const form = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?(?:(\d{1,9})ms)?$/;
const unitMs = [86_400_000, 3_600_000, 60_000, 1000, 1];

/** `30s`, `1h30m`, `500ms` -> ms; undefined for anything else: no unit, a fraction, a sign, blanks, more than a year. */
export function parseDuration(text: string): number | undefined {
  const match = form.exec(text);
  if (match === null || text === "") return undefined;
  const ms = unitMs.reduce((sum, unit, index) => sum + unit * Number(match[index + 1] ?? 0), 0);
  return ms <= longest ? ms : undefined;
}

/** ms -> `1h30m`; the reverse of `parseDuration`, `0s` for nothing. */
export function printDuration(ms: number): string {
  const names = ["d", "h", "m", "s", "ms"];
  let rest = ms;
  const parts = unitMs.map((unit, index) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count === 0 ? "" : `${count}${names[index]}`;
  });
  return parts.join("") || "0s";
}
