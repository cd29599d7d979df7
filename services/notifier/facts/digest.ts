import { createHash } from "node:crypto";

/** A digest of what a reader is shown; equal for equal content. The content has no age, which would change each time. */
export function digestOf(shown: unknown): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 16);
}
