import { type ApiAnswer, readMessage } from "./api-call.ts";
import type { Watched } from "./cluster-store.ts";

/** Why a reflector had to start again; it always does. */
export interface ReflectorFault {
  readonly resource: Watched;
  /** `silent`: it was open, and not one byte came in the time in which a bookmark must. */
  readonly kind: "cut" | "silent" | "expired" | "badLine" | "throttled" | "unauthorized" | "forbidden" | "unavailable";
  readonly why: string;
  readonly retryAfterMs?: number;
}

/** What an answer that is no success tells. */
export function toFault(resource: Watched, answer: ApiAnswer): ReflectorFault {
  const { status, retryAfterMs } = answer;
  const why = readMessage(answer);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { resource, kind: KINDS[status] ?? "unavailable", why, ...wait };
}

const KINDS: Readonly<Record<number, ReflectorFault["kind"]>> = {
  401: "unauthorized",
  403: "forbidden",
  410: "expired",
  429: "throttled",
};
