import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { FaultEffect } from "../state/faults.ts";
import { HttpError } from "./http-error.ts";
import type { Reply } from "./route.ts";

/** A request and its response. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const documentation = "https://docs.github.com/rest";

/** An error in GitHub's shape; any other error is a bug of the stand-in, and the answer says so. */
export function toErrorReply(error: unknown): Reply {
  if (!(error instanceof HttpError))
    return { status: 500, body: { message: `sandbox: ${String(error)}`, documentation_url: documentation } };
  const base = { message: error.message, documentation_url: documentation, status: String(error.status) };
  const body = error.errors === undefined ? base : { ...base, errors: error.errors };
  return { status: error.status, body, headers: error.headers };
}

/** Counts the requests of this hour for the rate limit's headers; a 304 does not count. */
export interface RateLimit {
  count(): void;
  /** Uses up this hour's requests but so many. */
  leave(requests: number): void;
  headers(): Readonly<Record<string, string>>;
  /** The answer to every request once the hour's are used up; undefined before, and where no limit was set. */
  findRefusal(): FaultEffect | undefined;
}

/** `requestsPerHour` absent: GitHub's 5,000, and more are answered all the same. */
export function createRateLimit(clock: () => number, requestsPerHour?: number): RateLimit {
  const limit = requestsPerHour ?? 5000;
  const least = requestsPerHour === undefined ? 1 : 0;
  let used = 0;
  let hour = 0;
  function countLeft(): number {
    const now = Math.floor(clock() / 3_600_000);
    if (now !== hour) used = 0;
    hour = now;
    return Math.max(limit - used, least);
  }
  return {
    count() {
      countLeft();
      used += 1;
    },
    leave(requests) {
      countLeft();
      used = Math.max(used, limit - requests);
    },
    headers: () => ({
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(countLeft()),
      "x-ratelimit-used": String(used),
      "x-ratelimit-reset": String((hour + 1) * 3600),
      "x-ratelimit-resource": "core",
    }),
    findRefusal() {
      if (countLeft() > 0) return undefined;
      return { kind: "primaryLimit", resetInSeconds: (hour + 1) * 3600 - Math.floor(clock() / 1000) };
    },
  };
}

/** GitHub's page where it cannot answer. */
export function toPage(status: number, body?: string, headers?: Readonly<Record<string, string>>): Reply {
  const page = body ?? `<html><title>${status}</title>Unicorn!</html>`;
  return { status, body: page, headers: { "content-type": "text/html", ...headers } };
}

/** The answer of a fault that replaces the real one; undefined for faults that do not. */
export function toFaultReply(effect: FaultEffect, now: number): Reply | undefined {
  if (effect.kind === "status") return toPage(effect.status, effect.body, effect.headers);
  if (effect.kind === "primaryLimit") {
    const reset = String(Math.ceil(now / 1000) + effect.resetInSeconds);
    const body = { message: "API rate limit exceeded for user.", documentation_url: documentation };
    return { status: 403, body, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset } };
  }
  if (effect.kind !== "secondaryLimit") return undefined;
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes.";
  const after = effect.retryAfterSeconds;
  const body = { message, documentation_url: documentation };
  return { status: 403, body, headers: after === undefined ? {} : { "retry-after": String(after) } };
}

function print(body: unknown): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** Only a complete answer to a read has an ETag. Another token gets another one: these headers are a part of it. */
function printEtag({ method, headers }: IncomingMessage, reply: Reply, text: string): string | undefined {
  if (method !== "GET" || reply.status !== 200) return undefined;
  const parts = [headers.accept, headers.authorization].filter((part) => part !== undefined);
  const hash = createHash("sha256").update([...parts, text].join(":"));
  return `W/"${hash.digest("hex")}"`;
}

/** Sends half an answer, and closes the connection. */
function cutMidway(response: ServerResponse, text: string): void {
  response.setHeader("content-length", String(Buffer.byteLength(text)));
  response.write(text.slice(0, Math.floor(text.length / 2)));
  // Closed after the write was sent: otherwise the client sees a reset instead of half an answer.
  setImmediate(() => response.destroy());
}

/** Sends a reply, or a 304 if the client has it already. Returns the status that was sent. */
export function sendReply(exchange: Incoming, reply: Reply, rate: RateLimit, effect: FaultEffect | undefined): number {
  const { request, response } = exchange;
  const text = print(reply.body);
  const etag = printEtag(request, reply, text);
  const unchanged = etag !== undefined && request.headers["if-none-match"] === etag;
  if (!unchanged) rate.count();
  response.statusCode = unchanged ? 304 : reply.status;
  const headers = { "content-type": "application/json; charset=utf-8", ...rate.headers(), ...reply.headers };
  response.setHeaders(new Map(Object.entries(headers)));
  response.setHeader("x-github-request-id", randomUUID());
  if (etag !== undefined)
    response.setHeader("etag", etag).setHeader("cache-control", "private, max-age=60, s-maxage=60");
  if (effect?.kind === "truncate") cutMidway(response, text);
  else response.end(unchanged || reply.status === 204 ? undefined : text);
  return response.statusCode;
}
