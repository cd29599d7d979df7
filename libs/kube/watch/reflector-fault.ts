import { AnswerTooLarge } from "#libs/runtime";

import { type ApiAnswer, readMessage, type ServerUnreachable } from "../requests/api-call.ts";
import type { Watched } from "../store/cluster-store.ts";
import { CollectionFull } from "../store/collection.ts";
import { LineTooLong } from "./lines.ts";

/** Why a reflector had to start again; it always does. */
export interface ReflectorFault {
  readonly resource: Watched;
  /** `silent`: it was open, and not one byte came in the time in which a bookmark must. */
  readonly kind:
    | "cut"
    | "silent"
    | "expired"
    | "badLine"
    /** An object or a list that has not the form of the API. */
    | "badObject"
    /** More bytes than are read, or more objects than are kept. */
    | "tooLarge"
    | "tooMany"
    | "throttled"
    | "unauthorized"
    | "forbidden"
    /** This Kubernetes has no such collection. */
    | "unserved"
    | "unavailable";
  readonly why: string;
  /** What people change so that it works. */
  readonly fix?: string;
  readonly retryAfterMs?: number;
}

/** Faults after which only a new list says what was missed. */
const lossy: ReadonlySet<ReflectorFault["kind"]> = new Set([
  "expired",
  "badLine",
  "badObject",
  "tooLarge",
  "tooMany",
  "silent",
]);

export function losesPlace({ kind }: ReflectorFault): boolean {
  return lossy.has(kind);
}

/**
 * What was said could not be taken in. Whatever one server says is a fault of its own cluster: it must not end a process that
 * serves others, too.
 */
export function describeUnread(resource: Watched, error: unknown): ReflectorFault {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof CollectionFull) return { resource, kind: "tooMany", why };
  return { resource, kind: error instanceof LineTooLong ? "tooLarge" : "badObject", why };
}

/** What an answer that is no success tells. */
export function toFault(resource: Watched, answer: ApiAnswer): ReflectorFault {
  const { status, retryAfterMs } = answer;
  const why = readMessage(answer);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  const kind = KINDS[status] ?? "unavailable";
  return { resource, kind, why, ...wait, ...fixes[kind] };
}

const fixes: Partial<Record<ReflectorFault["kind"], { readonly fix: string }>> = {
  unauthorized: { fix: "renew the token or the certificate of the kubeconfig's user" },
};

/** No answer came: what is known of the way to the server. */
export function describeUnreachable(resource: Watched, error: ServerUnreachable): ReflectorFault {
  const kind = error.cause instanceof AnswerTooLarge ? "tooLarge" : "cut";
  return { resource, kind, why: error.message, ...(error.fix === undefined ? {} : { fix: error.fix }) };
}

const KINDS: Readonly<Record<number, ReflectorFault["kind"]>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "unserved",
  410: "expired",
  429: "throttled",
};
