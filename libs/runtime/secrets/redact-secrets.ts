import { createRedactor } from "./redact.ts";
import { listKnownSecrets } from "./secret.ts";

const redact = createRedactor(listKnownSecrets);

/** Text without any `Secret` of this process and without what looks like a credential: for everything that leaves it. */
export function redactSecrets(text: string): string {
  return redact(text);
}
