import { createHash } from "node:crypto";

/** How long ago something was: it changes with every reconcile and is no change. */
const ages = /\d+ (?:s|seconds?|minutes?|hours?)\b/g;

/** Names what a reader would call a state: the same while only ages differ. */
export function digestOf(shown: unknown): string {
  return createHash("sha256").update(JSON.stringify(shown).replace(ages, "N")).digest("hex").slice(0, 16);
}
