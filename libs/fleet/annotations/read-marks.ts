import type { MarkManagers, WriteRefusal } from "../facts.ts";
import { annotationKeys } from "./annotations.ts";
import type { Marks, ReadAnnotations } from "./marks.ts";
import { parseAnnotations } from "./parse-marks.ts";

/** The word in place of the one on the object, where it was never written. */
const refusedWord = "WriteRefused";

/** What a move that was refused would have said: which one it is, and that it failed. */
function addRefusal(marks: ReadAnnotations, { run: text, at, why }: WriteRefusal): ReadAnnotations {
  const wanted = parseAnnotations({ annotations: { [annotationKeys.run]: text } });
  const run = wanted.kind === "read" ? wanted.run : undefined;
  // One more try was refused of what moves: the try before it goes on, and fails or arrives by itself.
  const isTryBefore = marks.previous !== undefined && marks.run?.run === run?.run;
  if (run === undefined || isTryBefore) return marks;
  const failed = { revision: run.target, reason: refusedWord, at, why };
  const { byHand: _, runByHand: __, ...rest } = marks;
  return { ...rest, run, failed };
}

/** Our annotations of an object, with the move that its API server refused: a failure that is on no object. */
export function readMarks(object: {
  readonly annotations: Readonly<Record<string, string>>;
  readonly marksBy?: MarkManagers;
  readonly refused?: WriteRefusal;
}): Marks {
  const marks = parseAnnotations(object);
  return object.refused === undefined || marks.kind === "unreadable" ? marks : addRefusal(marks, object.refused);
}
