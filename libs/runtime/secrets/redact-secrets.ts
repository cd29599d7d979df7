import { cleanLine } from "#libs/input";

import { createRedactor } from "./redact.ts";
import { listKnownSecrets } from "./secret.ts";

const redact = createRedactor(listKnownSecrets);

/** Text without any `Secret` of this process and without what looks like a credential: for everything that leaves it. */
export function redactSecrets(text: string): string {
  return redact(text);
}

/**
 * JSON text whose strings have no secret. Only where the whole text shows one are the strings redacted, one by one: what looks like
 * the beginning of a credential may reach beyond the end of its string, and the text would be JSON no more.
 */
export function redactJson(json: string): string {
  if (redact(json) === json) return json;
  const value: unknown = JSON.parse(json, (_, part: unknown) => (typeof part === "string" ? redact(part) : part));
  return JSON.stringify(value);
}

/**
 * Text of people or machines (a subject, a reason, a name) as one line of at most `most` characters, without secrets of this
 * process or logins in URLs: an error of git or Redis may quote one.
 */
export function cleanText(text: string, most = 300): string {
  return cleanLine(redactSecrets(text), most);
}

/**
 * An error of an outside system. Its message often repeats what that system said, and ends up in logs, the fleet's status, the
 * ledger and chats, so it is redacted.
 */
export class RedactedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(redactSecrets(message), options);
  }
}

/** An adapter's error, with the fix for people kept apart: logs show both in `message`, the CLI prints them separately. */
export abstract class AdapterError extends RedactedError {
  /** What happened, without the fix. */
  readonly what: string;
  /** The command or edit that fixes it, or the command that shows more. */
  readonly fix: string | undefined;

  constructor(what: string, fix: string | undefined, message: string, options?: ErrorOptions) {
    super(message, options);
    this.what = redactSecrets(what);
    this.fix = fix;
  }
}

/** The other side does not answer now; services try the same call again by themselves. `fix`: the command that shows why. */
export class AdapterUnavailable extends AdapterError {
  constructor(what: string, options: ErrorOptions & { readonly fix?: string } = {}) {
    const look = options.fix === undefined ? "" : `, look with: ${options.fix}`;
    super(what, options.fix, `${what}; it is tried again by itself${look}`, options);
  }
}

/** The other side refused the call, and will until a person fixes it. */
export class AdapterRefused extends AdapterError {
  override readonly fix: string;

  constructor(what: string, fix: string, options?: ErrorOptions) {
    super(what, fix, `${what}; to fix it: ${fix}`, options);
    this.fix = fix;
  }
}
