/** Redis does not answer now; the same call may work later. Whether a job was added is not known: look again. */
export class QueueUnavailable extends Error {
  override readonly name = "QueueUnavailable";
}

/** What an error of anybody says. */
export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
