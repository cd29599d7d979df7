import { redactSecrets } from "./redact-secrets.ts";

/**
 * An error of an outside thing. Its message often repeats what that thing said, and ends up in logs, in the fleet's status, in
 * the ledger and in chats: no credential may stand in it, whoever put it there.
 */
export class RedactedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(redactSecrets(message), options);
  }
}
