import { JetStreamApiError, JetStreamError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";

/** What a failed call means: done by nobody, perhaps done (the answer is lost), or refused. */
export type Outcome = "not done" | "unknown" | "refused";

const serviceUnavailable = 503;
/**
 * The stream is gone, or another process is making it at the same moment: "name in use" or, from 2.9, "subjects overlap".
 * Or our place in the stream died with the server while we read.
 */
const passingCodes: readonly number[] = [10059, 10058, 10065, 10014];

/** Faults that say nothing about what became of the call. */
const passing = [
  errors.TimeoutError,
  errors.RequestError,
  errors.ConnectionError,
  errors.ClosedConnectionError,
  errors.DrainingConnectionError,
  errors.ProtocolError,
  JetStreamError,
];

const refusals = [errors.InvalidArgumentError, errors.InvalidSubjectError, errors.PermissionViolationError];

/** Reads an error of the client; by its class and code, never by its text. */
export function classify(error: unknown): Outcome {
  if (error instanceof JetStreamApiError) {
    const isPassing = passingCodes.includes(error.code) || error.status === serviceUnavailable;
    return isPassing ? "not done" : "refused";
  }
  if (!(error instanceof Error)) return "refused";
  const isNobody = error instanceof errors.RequestError && error.isNoResponders();
  // The package does not export the class of the second.
  if (isNobody || error.name === "JetStreamNotEnabled") return "not done";
  if ([error, error.cause].some((each) => refusals.some((kind) => each instanceof kind))) return "refused";
  return passing.some((kind) => error instanceof kind) ? "unknown" : "refused";
}
