/** The bus does not answer now; the same call may work later. Nothing is known about what it would have said. */
export class BusUnavailable extends Error {
  override readonly name = "BusUnavailable";
}

/** The bus said no (too old, no JetStream, no right, too large, not a key); again changes nothing until a person mends it. */
export class BusRefused extends Error {
  override readonly name = "BusRefused";
}

/** Somebody answered an `ask`, and could not do it; the message is theirs. */
export class AskFailed extends Error {
  override readonly name = "AskFailed";
}

/** What an error of anybody says. */
export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
