import { Cron } from "croner";

import type { Freeze, Window } from "../calendar/calendar.ts";
import { annotate, defineReader, type Reader, refine, reportField } from "../fields/field.ts";
import { isZone } from "../calendar/local-time.ts";
import { readFields } from "../fields/read-fields.ts";
import { readInstant } from "../fields/read-instant.ts";
import { readList } from "../fields/read-list.ts";
import { readChoice, readDuration, readLater, readProse, readText, readWord } from "../fields/readers.ts";
import { suggestWord } from "#libs/input";

/** One minute, then four fields of digits, names, `*`, `,`, `-` and `/`. The library accepts more, which other crons do not. */
const scheduleForm = /^[0-9]{1,2}(?: (?:[0-9*,/-]|[A-Za-z]{3}){1,60}){4}$/;

function describeFault(schedule: string): string | undefined {
  try {
    const cron = new Cron(schedule, { mode: "5-part", utcOffset: 0, paused: true });
    // A schedule for a day that no year has (31 February) is never found.
    return cron.nextRun("2027-01-01T00:00:00") === null ? "no year has that day" : undefined;
  } catch (error) {
    // The library throws for schedules that it does not accept.
    if (!(error instanceof Error)) throw error;
    return error.message.replace(/^CronPattern: /u, "");
  }
}

const scheduleHelp = 'minute hour day month weekday, such as "0 9 * * 1-4": Monday to Thursday at 09:00';

const readSchedule: Reader<string> = defineReader({ type: "string", pattern: scheduleForm.source }, (field) => {
  const word = readWord(field, "a schedule of five fields");
  if (word === undefined) return undefined;
  const { text } = word;
  if (!scheduleForm.test(text)) {
    return reportField(field, "must be five cron fields, of which the first is one minute (0 to 59)", scheduleHelp);
  }
  const fault = describeFault(text);
  return fault === undefined ? text : reportField(field, `is not a schedule: ${fault}`, scheduleHelp);
});

const readZone: Reader<string> = refine(readText(64), (zone, field) => {
  if (isZone(zone)) return zone;
  const near = suggestWord(zone, Intl.supportedValuesOf("timeZone"));
  const help = near === undefined ? "such as Europe/Berlin or UTC" : `did you mean ${near}?`;
  return reportField(field, "must be a time zone of the IANA database", help);
});

const hourMs = 3_600_000;

const readWindow: Reader<Window> = refine(
  readFields<Window>(
    {
      kind: annotate(
        readChoice("allow", "deny"),
        "Whether forward runs may or may not move in it; deny wins.",
        "allow",
      ),
      schedule: annotate(readSchedule, "Five cron fields, on the wall clock of the zone: when it opens."),
      duration: annotate(readDuration(60_000, 31 * 24 * hourMs), "How long it stays open, on the wall clock."),
      timeZone: annotate(readZone, "A name of the IANA database; there is no default on purpose."),
      atEnd: annotate(
        readChoice("finishBatch", "finishStage", "stop"),
        "finishBatch: no more batches. finishStage: a run that began goes on to its end. stop: no more patches.",
        "finishBatch",
      ),
    },
    ["schedule", "duration", "timeZone"],
  ),
  ({ kind = "allow", schedule, duration, timeZone, atEnd = "finishBatch" }) => {
    // Missing or wrong fields have been reported.
    if (schedule === undefined || duration === undefined || timeZone === undefined) return undefined;
    return { kind, schedule, duration, timeZone, atEnd };
  },
);

interface FreezeFields extends Freeze {
  readonly calendar: never;
}

const readFreeze: Reader<Freeze> = refine(
  readFields<FreezeFields>(
    {
      from: annotate(readInstant, "When it begins, with an offset from UTC."),
      to: annotate(readInstant, "When it is over; that moment is not part of it."),
      reason: annotate(readProse(200), "Why; shown with each wait for it."),
      calendar: readLater("write from, to and reason of each freeze"),
    },
    ["from", "to", "reason"],
  ),
  ({ from, to, reason }, field) => {
    if (from === undefined || to === undefined || reason === undefined) return undefined;
    if (to > from) return { from, to, reason };
    return reportField(field, "ends before it begins", "`to` is after `from`");
  },
);

const windowExample = '[{ schedule: "0 9 * * 1-4", duration: 8h, timeZone: Europe/Berlin }]';
const freezeExample = "[{ from: 2026-12-23T00:00:00Z, to: 2027-01-02T00:00:00Z, reason: holidays }]";

/** `windows`. */
export const readWindows: Reader<readonly Window[]> = readList(readWindow, { most: 10, example: windowExample });

/** `freezes`. */
export const readFreezes: Reader<readonly Freeze[]> = readList(readFreeze, { most: 100, example: freezeExample });
