import type { SkippedSummary } from "#libs/plan";

import type { Sentence } from "../../terminal/sentence.ts";
import { countOf } from "./print-failures.ts";

/**
 * The number of skipped workloads, why, and the command that lists them; `of` follows the kind in that command. Empty where
 * there is none.
 */
export function printSkipped(skipped: SkippedSummary | undefined, of = ""): readonly Sentence[] {
  if (skipped === undefined || skipped.count === 0) return [];
  const { count, namespaces, codes, earlier = 0, neighbours = 0 } = skipped;
  const reasons = codes.map((each) => `${each.count} ${each.code}`).join(", ");
  const parts = [
    ...(earlier === 0 ? [] : [`${earlier} by earlier runs`]),
    ...(neighbours === 0 ? [] : [`${neighbours} only by the label of their namespace`]),
  ];
  const ofThem = parts.length === 0 ? "" : `; of them ${parts.join(", ")}`;
  return [
    `${countOf(count, "workload")} skipped, none of them failed, in ${countOf(namespaces, "namespace")}: ${reasons}${ofThem}`,
    ["  ", { command: `meshroll get skipped${of}` }],
  ];
}
