import { createHash } from "node:crypto";

/** Names what a reader is shown: the same as long as that is the same. What is shown holds no age, which would change at each look. */
export function digestOf(shown: unknown): string {
  return createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 16);
}
