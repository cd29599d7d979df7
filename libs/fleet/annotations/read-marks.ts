import type { WriteRefusal } from "../facts.ts";
import type { Marks, ReadAnnotations } from "./marks.ts";
import { parseAnnotations } from "./parse-marks.ts";

/** The word in place of the one on the object, where it was never written. */
const refusedWord = "WriteRefused";

/** What a write that was refused would have said: that its move failed, or that it moves, which is why the move failed. */
function addRefusal(marks: ReadAnnotations, { annotations, at, why }: WriteRefusal): ReadAnnotations {
  const wanted = parseAnnotations(annotations);
  if (wanted.kind === "unreadable") return marks;
  if (wanted.failed !== undefined) return { ...marks, failed: { ...wanted.failed, why } };
  const { run } = wanted;
  // One more try was refused of what moves: the try before it goes on, and fails or arrives by itself.
  const isTryBefore = marks.previous !== undefined && marks.run?.run === run?.run;
  if (run === undefined || isTryBefore) return marks;
  const failed = { revision: run.target, reason: refusedWord, at, why };
  return { ...marks, run, failed };
}

/** Our annotations of an object, with what its API server refused to note there: a failure that could not be written is one. */
export function readMarks(object: {
  readonly annotations: Readonly<Record<string, string>>;
  readonly refused?: WriteRefusal;
}): Marks {
  const marks = parseAnnotations(object.annotations);
  return object.refused === undefined || marks.kind === "unreadable" ? marks : addRefusal(marks, object.refused);
}
