import type { MarkManagers, WriteRefusal } from "../facts.ts";
import { annotationKeys } from "./annotations.ts";
import type { Marks, ReadAnnotations } from "./marks.ts";
import { parseAnnotations } from "./parse-marks.ts";

/** The reason of a failure that could not be written on the object. */
const refusedWord = "WriteRefused";

/** The annotations that the refused move would have written: its run, and that it failed. */
function addRefusal(marks: ReadAnnotations, { run: text, at, why }: WriteRefusal): ReadAnnotations {
  const wanted = parseAnnotations({ annotations: { [annotationKeys.run]: text } });
  const run = wanted.kind === "read" ? wanted.run : undefined;
  // A further try of a moving workload was refused: the earlier try continues.
  const isTryBefore = marks.previous !== undefined && marks.run?.run === run?.run;
  if (run === undefined || isTryBefore) return marks;
  const failed = { revision: run.target, reason: refusedWord, at, why };
  const { byHand: _, runByHand: __, ...rest } = marks;
  return { ...rest, run, failed };
}

/** Our annotations of an object, with a refused move added as a failure, which is on no object. */
export function readMarks(object: {
  readonly annotations: Readonly<Record<string, string>>;
  readonly marksBy?: MarkManagers;
  readonly refused?: WriteRefusal;
}): Marks {
  const marks = parseAnnotations(object);
  return object.refused === undefined || marks.kind === "unreadable" ? marks : addRefusal(marks, object.refused);
}
