import { RedactedError } from "#libs/runtime";

import { makeTrouble, type QueueTrouble, type QueueTroubleCode } from "./troubles.ts";

interface UnavailableOptions extends ErrorOptions {
  readonly code?: QueueTroubleCode;
}

/**
 * Redis does not answer now, or refuses what we ask; the same call may work later. Whether a job was added is not known: look
 * again.
 */
export class QueueUnavailable extends RedactedError {
  override readonly name = "QueueUnavailable";
  readonly trouble: QueueTrouble;

  constructor(message: string, { code = "QueueDown", ...options }: UnavailableOptions = {}) {
    super(message, options);
    this.trouble = makeTrouble(code, this.message);
  }
}

/** What an error of any kind says. */
export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
