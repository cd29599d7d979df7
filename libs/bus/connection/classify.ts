import { JetStreamApiError, JetStreamError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";

import type { BusTroubleCode } from "../troubles.ts";

/** What a failed call means: not done, perhaps done (the answer was lost), or refused. */
export type Outcome = "not done" | "unknown" | "refused";

const serviceUnavailable = 503;
/**
 * No room: in the server's store or an account ("insufficient resources", "resource limits exceeded", "insufficient storage"),
 * in a bucket or the stream ("maximum bytes", "maximum messages"), or on the disk ("store failed").
 */
const fullCodes: readonly number[] = [10023, 10002, 10028, 10047, 10077];
/**
 * The stream is gone, or another process is creating it at the same moment ("name in use" or, from 2.9, "subjects overlap"), or
 * the consumer was lost with the server.
 */
const passingCodes: readonly number[] = [10059, 10058, 10065, 10014];

/** Errors after which it is unknown whether the call was carried out. */
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

/** The client's error and its causes, the outermost first. */
function listErrors(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...listErrors(error.cause)] : [];
}

/** Whether the login lacks the right to publish or subscribe. */
function isDenied(error: unknown): boolean {
  return listErrors(error).some((each) => each instanceof errors.PermissionViolationError);
}

/** Whether the login lacks the right to create a bucket or the stream. */
export function mayNotMake(error: unknown): boolean {
  return listErrors(error).some((each) => {
    return each instanceof errors.PermissionViolationError && /\.STREAM\.(?:CREATE|UPDATE)\./.test(each.subject);
  });
}

/** The trouble that concerns more than this call; undefined for a refusal of the call itself. */
export function nameTrouble(error: unknown): BusTroubleCode | undefined {
  const all = listErrors(error);
  if (isDenied(error)) return "BusRightMissing";
  if (all.some((each) => each instanceof errors.AuthorizationError)) return "BusLoginRefused";
  if (all.some((each) => each instanceof errors.UserAuthenticationExpiredError)) return "BusLoginRefused";
  return all.some((each) => each instanceof JetStreamApiError && fullCodes.includes(each.code)) ? "BusFull" : undefined;
}

function isPassing({ code, status }: JetStreamApiError): boolean {
  // A full server may answer with the status of one that is not ready.
  return passingCodes.includes(code) || (status === serviceUnavailable && !fullCodes.includes(code));
}

/** Classifies a client's error by its class and code, never by its text. */
export function classify(error: unknown): Outcome {
  if (error instanceof JetStreamApiError) return isPassing(error) ? "not done" : "refused";
  if (!(error instanceof Error)) return "refused";
  const hasNoResponder = error instanceof errors.RequestError && error.isNoResponders();
  // The package does not export the second class.
  if (hasNoResponder || error.name === "JetStreamNotEnabled") return "not done";
  if ([error, error.cause].some((each) => refusals.some((kind) => each instanceof kind))) return "refused";
  return passing.some((kind) => error instanceof kind) ? "unknown" : "refused";
}
