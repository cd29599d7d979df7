import type { Sentence } from "../terminal/sentence.ts";
import type { CheckResult } from "./check.ts";

/** What a person may do once nothing is missing: to look needs no installation. */
export const nextBefore: readonly Sentence[] = [
  [{ command: "meshroll status --kubeconfig FILE --clusters NAME=CONTEXT" }, "  shows what runs; writes nothing"],
  "then install it, in read-only mode first: docs/how-to/run-against-your-cluster.md",
];

/** What is there only once meshroll is: its ledger, its installation, and processes that are heard. */
const later: ReadonlySet<string> = new Set([
  "MR9003",
  "MR9021",
  "MR9022",
  "MR9023",
  "MR9024",
  "MR9064",
  "MR9069",
  "MR9070",
]);

/** Rights that the manifests give to the executor's account: a person's own kubeconfig need not have them. */
const given: ReadonlySet<string> = new Set([
  "MR9060",
  "MR9061",
  "MR9062",
  "MR9063",
  "MR9065",
  "MR9066",
  "MR9067",
  "MR9068",
]);

/** What a check means before anything is installed: only what is missing now and would keep the installation from working has failed. */
export function judgeBefore(result: CheckResult): CheckResult {
  if (result.state !== "failed") return result;
  if (later.has(result.code))
    return { ...result, state: "notChecked", message: `not before the installation: ${result.message}` };
  if (given.has(result.code)) return { ...result, state: "warned", message: `your kubeconfig ${result.message}` };
  return result;
}
