import type { ReadAnnotations } from "./marks.ts";
import { parseAnnotations } from "./parse-marks.ts";

/** Our annotations of a workload or a namespace; undefined where they are damaged. */
export function readAnnotations(object: Parameters<typeof parseAnnotations>[0]): ReadAnnotations | undefined {
  const marks = parseAnnotations(object);
  return marks.kind === "read" ? marks : undefined;
}
