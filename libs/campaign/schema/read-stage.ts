import type { Span } from "#libs/rollouts";

import { checkCalendar } from "./check-calendar.ts";
import {
  annotate,
  defineReader,
  isEmptyField,
  locateChild,
  locateField,
  type Reader,
  refine,
  reportField,
} from "../fields/field.ts";
import { readEntries, readFields } from "../fields/read-fields.ts";
import { type FrameFields, frameReaders, type PaceFields, paceReaders, warnOfUnused } from "./read-rules.ts";
import { readCount, readFlag, readForm, readProse } from "../fields/readers.ts";

/** `production: 25` of a stage's `set`. */
export interface SetEntry {
  readonly pattern: string;
  readonly share: number;
  readonly keySpan: Span;
  readonly span: Span;
}

interface StageFields extends PaceFields, FrameFields {
  readonly name: string;
  readonly description: string;
  readonly set: readonly SetEntry[];
  readonly skipDefaultGates: boolean;
}

/** A stage as written, with places for findings. */
export interface StageRead extends Partial<StageFields> {
  readonly name: string;
  readonly set: readonly SetEntry[];
  readonly span: Span;
  readonly nameSpan: Span;
}

const readShare = readCount(1, 100);

const readSet: Reader<readonly SetEntry[]> = defineReader(
  { type: "object", minProperties: 1, additionalProperties: readShare.schema },
  (field) => {
    if (isEmptyField(field))
      return reportField(field, "is empty", "write <bucket>: <percentage>, such as production: 5");
    const entries = readEntries(field) ?? [];
    const read = entries.flatMap(({ name: pattern, field: child }) => {
      const share = readShare(child);
      return share === undefined ? [] : [{ pattern, share, keySpan: child.key, span: locateField(child) }];
    });
    if (entries.length === 0) return reportField(field, "sets no bucket", "such as { production: 5 }");
    return read;
  },
);

/** One stage. */
export const readStage: Reader<StageRead> = refine(
  readFields<StageFields>(
    {
      name: annotate(
        readForm(/^[a-z0-9](?:[-a-z0-9]{0,38}[a-z0-9])?$/, 40, "small letters, digits and - only, at most 40"),
        "Unique in the campaign; part of its branch.",
      ),
      description: annotate(readProse(500), "For people: why it is as it is, such as why its bucket ends below 100."),
      set: annotate(
        readSet,
        "The target's share of buckets, in whole percent, once the stage is merged; buckets as rollouts.yml writes them.",
      ),
      ...paceReaders,
      skipDefaultGates: annotate(
        readFlag,
        "Only this stage's own gates, and the built-in ones of kinds that it does not write.",
        false,
      ),
      ...frameReaders,
    },
    ["name", "set"],
  ),
  (read, field) => {
    warnOfUnused(read, field);
    checkCalendar(read, field);
    const { name, set } = read;
    // Missing or wrong fields have been reported.
    if (name === undefined || set === undefined) return undefined;
    return { ...read, name, set, span: locateField(field), nameSpan: locateChild(field, "name") };
  },
);
