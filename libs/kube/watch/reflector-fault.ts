import { placeSystemError } from "#libs/input";
import { AnswerTooLarge } from "#libs/runtime";

import { type ApiAnswer, readMessage, type ServerUnreachable } from "../requests/api-call.ts";
import type { Watched } from "../store/cluster-store.ts";
import { CollectionFull } from "../store/collection.ts";
import { LineTooLong } from "./lines.ts";

/** Why a reflector had to start again. It always starts again. */
export interface ReflectorFault {
  readonly resource: Watched;
  /** `silent`: the watch was open, but not even a bookmark arrived in time. */
  readonly kind:
    | "cut"
    | "silent"
    | "expired"
    | "badLine"
    /** An object or a list does not have the form of the API. */
    | "badObject"
    /** More bytes or more objects than are read. */
    | "tooLarge"
    | "tooMany"
    | "throttled"
    | "unauthorized"
    | "forbidden"
    /** This Kubernetes does not have the collection. */
    | "unserved"
    | "unavailable";
  readonly why: string;
  /** What a person changes so that it works. */
  readonly fix?: string;
  readonly retryAfterMs?: number;
}

/** Faults after which changes may have been missed, so that a new list is needed. */
const lossy: ReadonlySet<ReflectorFault["kind"]> = new Set([
  "expired",
  "badLine",
  "badObject",
  "tooLarge",
  "tooMany",
  "silent",
  "unserved",
]);

export function losesPlace({ kind }: ReflectorFault): boolean {
  return lossy.has(kind);
}

/** The answer could not be processed. A fault of one cluster must not end a process that serves others, too. */
export function describeUnread(resource: Watched, error: unknown): ReflectorFault {
  const why = placeSystemError(error);
  if (error instanceof CollectionFull) return { resource, kind: "tooMany", why };
  return { resource, kind: error instanceof LineTooLong ? "tooLarge" : "badObject", why };
}

/** The fault that an unsuccessful answer stands for. */
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

/** The fault of a server that did not answer. */
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
