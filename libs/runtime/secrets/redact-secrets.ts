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
 * the ledger and in chats: no credential may be in it, no matter who put it there.
 */
export class RedactedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(redactSecrets(message), options);
  }
}

/** What an adapter's error says apart from what a person can do: a log reads both in `message`, a command line prints them apart. */
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

/** The other side does not answer now; a service tries the same call again by itself. `fix`: the command that shows why. */
export class AdapterUnavailable extends AdapterError {
  constructor(what: string, options: ErrorOptions & { readonly fix?: string } = {}) {
    const look = options.fix === undefined ? "" : `, look with: ${options.fix}`;
    super(what, options.fix, `${what}; it is tried again by itself${look}`, options);
  }
}

/** The other side said no; the same call is refused again until a person fixes it. */
export class AdapterRefused extends AdapterError {
  override readonly fix: string;

  constructor(what: string, fix: string, options?: ErrorOptions) {
    super(what, fix, `${what}; to fix it: ${fix}`, options);
    this.fix = fix;
  }
}
