import { RedactedError } from "#libs/runtime";

import type { BusTroubleCode } from "./troubles.ts";

/** The bus does not answer now; the same call may work later. */
export class BusUnavailable extends RedactedError {
  override readonly name = "BusUnavailable";
}

interface RefusalOptions extends ErrorOptions {
  readonly code?: BusTroubleCode;
}

/**
 * The bus refused (too old, no JetStream, no right, full, too large, not a key); a retry changes nothing until a person acts.
 * `code` names a trouble that concerns more than this call.
 */
export class BusRefused extends RedactedError {
  override readonly name = "BusRefused";
  readonly code: BusTroubleCode | undefined;

  constructor(message: string, { code, ...options }: RefusalOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** A bucket or the stream is absent, and only the planner's login may create it. */
export class NotMade extends RedactedError {
  override readonly name = "NotMade";
}

/** The message of any error. */
export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
