import { JetStreamApiError, JetStreamError } from "@nats-io/jetstream";
import { errors } from "@nats-io/transport-node";

import type { BusTroubleCode } from "../troubles.ts";

/** What a failed call means: not done, perhaps done (the answer is lost), or refused. */
export type Outcome = "not done" | "unknown" | "refused";

const serviceUnavailable = 503;
/**
 * No room: the server's store or an account's ("insufficient resources", "resource limits exceeded", "insufficient
 * storage"), a bucket's or the stream's ("maximum bytes", "maximum messages"), or a disk that took no write ("store failed").
 */
const fullCodes: readonly number[] = [10023, 10002, 10028, 10047, 10077];
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

/** The errors of the client in one, the outer first. */
function listErrors(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...listErrors(error.cause)] : [];
}

/** True when the login may not send there, or hear there. */
function isDenied(error: unknown): boolean {
  return listErrors(error).some((each) => each instanceof errors.PermissionViolationError);
}

/** True when the login may not make a bucket or the stream. */
export function mayNotMake(error: unknown): boolean {
  return listErrors(error).some((each) => {
    return each instanceof errors.PermissionViolationError && /\.STREAM\.(?:CREATE|UPDATE)\./.test(each.subject);
  });
}

/** What stands in the way of more than this one call; undefined for a refusal of the call itself. */
export function nameTrouble(error: unknown): BusTroubleCode | undefined {
  const all = listErrors(error);
  if (isDenied(error)) return "BusRightMissing";
  if (all.some((each) => each instanceof errors.AuthorizationError)) return "BusLoginRefused";
  if (all.some((each) => each instanceof errors.UserAuthenticationExpiredError)) return "BusLoginRefused";
  return all.some((each) => each instanceof JetStreamApiError && fullCodes.includes(each.code)) ? "BusFull" : undefined;
}

function isPassing({ code, status }: JetStreamApiError): boolean {
  // A server that is full says so with the status of one that is not ready.
  return passingCodes.includes(code) || (status === serviceUnavailable && !fullCodes.includes(code));
}

/** Reads an error of the client; by its class and code, never by its text. */
export function classify(error: unknown): Outcome {
  if (error instanceof JetStreamApiError) return isPassing(error) ? "not done" : "refused";
  if (!(error instanceof Error)) return "refused";
  const hasNoResponder = error instanceof errors.RequestError && error.isNoResponders();
  // The package does not export the class of the second.
  if (hasNoResponder || error.name === "JetStreamNotEnabled") return "not done";
  if ([error, error.cause].some((each) => refusals.some((kind) => each instanceof kind))) return "refused";
  return passing.some((kind) => error instanceof kind) ? "unknown" : "refused";
}
