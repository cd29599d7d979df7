import { RedactedError } from "#libs/runtime";

import type { BusTroubleCode } from "./troubles.ts";

/** The bus does not answer now; the same call may work later. Nothing is known about what it would have said. */
export class BusUnavailable extends RedactedError {
  override readonly name = "BusUnavailable";
}

interface RefusalOptions extends ErrorOptions {
  readonly code?: BusTroubleCode;
}

/**
 * The bus said no (too old, no JetStream, no right, full, too large, not a key); again changes nothing until a person acts.
 * `code` names what stands in the way of more than this one call.
 */
export class BusRefused extends RedactedError {
  override readonly name = "BusRefused";
  readonly code: BusTroubleCode | undefined;

  constructor(message: string, { code, ...options }: RefusalOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** A bucket or the stream is absent, and this login may not make it: the planner's does. */
export class NotMade extends RedactedError {
  override readonly name = "NotMade";
}

/** What an error of any kind says. */
export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
