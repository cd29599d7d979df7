import type { Sentence } from "../terminal/sentence.ts";
import type { CheckResult } from "./check.ts";

/** What can be done next when nothing is missing: read-only commands need no installation. */
export const nextBefore: readonly Sentence[] = [
  [{ command: "meshroll status --kubeconfig FILE --clusters NAME=CONTEXT" }, "  shows what runs; writes nothing"],
  "then install it, in read-only mode first: docs/how-to/run-against-your-cluster.md",
];

/** Checks of what exists only after the installation: ledger, installation id, running processes. */
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

/** Rights that the manifests give to the executor's account; a person's kubeconfig need not have them. */
const given: ReadonlySet<string> = new Set([
  "MR9060",
  "MR9061",
  "MR9062",
  "MR9063",
  "MR9065",
  "MR9066",
  "MR9067",
  "MR9068",
  "MR9071",
  "MR9072",
  "MR9073",
]);

/**
 * A check's result before the installation: failed only where something is missing now and would keep the installation from
 * working.
 */
export function judgeBefore(result: CheckResult): CheckResult {
  if (result.state !== "failed") return result;
  if (later.has(result.code))
    return { ...result, state: "notChecked", message: `not before the installation: ${result.message}` };
  if (given.has(result.code)) return { ...result, state: "warned", message: `your kubeconfig ${result.message}` };
  return result;
}
