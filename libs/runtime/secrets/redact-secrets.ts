import { cleanLine } from "#libs/input";

import { createRedactor } from "./redact.ts";
import { listKnownSecrets } from "./secret.ts";

const redact = createRedactor(listKnownSecrets);

/** Text without any `Secret` of this process and without what looks like a credential: for everything that leaves it. */
export function redactSecrets(text: string): string {
  return redact(text);
}

/**
 * What people or machines wrote (a subject, a reason, a name) as one line of at most `most` characters. No secret of this
 * process and no login of a URL gets through: a fault of git or Redis may quote one.
 */
export function cleanText(text: string, most = 300): string {
  return cleanLine(redactSecrets(text), most);
}

/**
 * An error of an outside thing. Its message often repeats what that thing said, and ends up in logs, in the fleet's status, in
 * the ledger and in chats: no credential may stand in it, whoever put it there.
 */
export class RedactedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(redactSecrets(message), options);
  }
}
