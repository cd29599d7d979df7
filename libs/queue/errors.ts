import { RedactedError } from "#libs/runtime";

import { makeTrouble, type QueueTrouble, type QueueTroubleCode } from "./troubles.ts";

interface UnavailableOptions extends ErrorOptions {
  readonly code?: QueueTroubleCode;
}

/** Redis does not answer now, or refuses the request; the same call may work later. It is unknown whether a job was added. */
export class QueueUnavailable extends RedactedError {
  override readonly name = "QueueUnavailable";
  readonly trouble: QueueTrouble;

  constructor(message: string, { code = "QueueDown", ...options }: UnavailableOptions = {}) {
    super(message, options);
    this.trouble = makeTrouble(code, this.message);
  }
}

/** The message of any error. */
export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
