import type { SkippedSummary } from "#libs/plan";

import type { Sentence } from "../../terminal/sentence.ts";
import { countOf } from "./print-failures.ts";

/**
 * The number of skipped workloads, why, and the command that lists them; `of` follows the kind in that command. Empty where
 * there is none.
 */
export function printSkipped(skipped: SkippedSummary | undefined, of = ""): readonly Sentence[] {
  if (skipped === undefined || skipped.count === 0) return [];
  const { count, namespaces, codes } = skipped;
  const reasons = codes.map((each) => `${each.count} ${each.code}`).join(", ");
  return [
    `${countOf(count, "workload")} skipped, none of them failed, in ${countOf(namespaces, "namespace")}: ${reasons}`,
    ["  ", { command: `meshroll get skipped${of}` }],
  ];
}
