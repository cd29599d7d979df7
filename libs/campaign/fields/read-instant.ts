import { defineReader, type Reader, reportField } from "./field.ts";
import { countDays } from "../calendar/local-time.ts";
import { readWord } from "./readers.ts";

const date = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const time = String.raw`T(\d\d):(\d\d)(?::(\d\d))?(?:Z|([+-])(\d\d):(\d\d))`;
const instantForm = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?(?:Z|([+-])(\d\d):(\d\d)))?$/;

/** Whether a date exists, so that 31 February is refused and not moved to March. */
function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || year < 2000 || year > 2199) return false;
  const next = month === 12 ? countDays(year + 1, 1, 1) : countDays(year, month + 1, 1);
  return countDays(year, month, day) < next;
}

/** `2026-11-26T00:00:00-08:00`, or a date, which is 00:00 UTC -> epoch ms; undefined for anything else. */
function parseInstant(text: string): number | undefined {
  const match = instantForm.exec(text);
  if (match === null) return undefined;
  const at = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [at(1), at(2), at(3), at(4), at(5), at(6)];
  if (!isDate(year, month, day) || hour > 23 || Math.max(minute, second, at(9)) > 59 || at(8) > 14) return undefined;
  const offset = (at(8) * 60 + at(9)) * (match[7] === "-" ? -1 : 1);
  return (countDays(year, month, day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second) * 1000;
}

function readParsed(form: string, wanted: string, help: string): Reader<number> {
  return defineReader({ type: "string", pattern: form }, (field) => {
    const word = readWord(field, wanted);
    if (word === undefined) return undefined;
    const parsed = parseInstant(word.text);
    const isWanted = wanted.startsWith("a date") || word.text.includes("T");
    return parsed !== undefined && isWanted ? parsed : reportField(field, `must be ${wanted}`, help);
  });
}

const help = "such as 2026-11-26T09:00:00+01:00, or with Z for UTC";

/** A point in time with its offset from UTC, as epoch ms. */
export const readInstant = readParsed(`^${date}${time}$`, "a time with its offset from UTC", help);

/** A date, which begins at 00:00 UTC, or a point in time; as epoch ms. */
export const readDay = readParsed(`^${date}(?:${time})?$`, "a date such as 2026-12-04, or a time", help);
