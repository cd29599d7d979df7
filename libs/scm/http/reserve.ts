import { ScmUnavailable } from "../port/errors.ts";
import { longestBanMs, type ScmName } from "./classify.ts";

/** The part of an hour's requests that only urgent calls may use. A rollback takes about thirty of GitHub's 5,000. */
const keptShare = 0.1;

/** How many requests the newest answer leaves, and whether that is little. */
export interface Reserve {
  /** Reads an answer's headers. */
  note(headers: Headers): void;
  /** Throws `ScmUnavailable` while so little is left that it is kept for urgent calls. */
  requireMore(doing: string): void;
}

interface Left {
  readonly remaining: number;
  readonly limit: number;
  /** When the hour ends, by the monotonic clock. */
  readonly endsAt: number;
}

function readNumber(headers: Headers, name: string): number {
  return Number.parseInt(headers.get(name) ?? "", 10);
}

/** The REST limit of an answer; undefined: the answer has none, as of a server without limits, or is about another one. */
function readLeft(headers: Headers, monotonic: number): Left | undefined {
  const remaining = readNumber(headers, "x-ratelimit-remaining");
  const limit = readNumber(headers, "x-ratelimit-limit");
  // By the clock that counts the hour.
  const leftMs = readNumber(headers, "x-ratelimit-reset") * 1000 - Date.parse(headers.get("date") ?? "");
  const isOther = (headers.get("x-ratelimit-resource") ?? "core") !== "core";
  if (isOther || Number.isNaN(remaining + limit + leftMs)) return undefined;
  return { remaining, limit, endsAt: monotonic + Math.min(leftMs, longestBanMs) };
}

/** Keeps a tenth of the hour's requests for urgent calls, also from other processes that share the limit. */
export function createReserve(scm: ScmName, monotonic: () => number): Reserve {
  let newest: Left | undefined;
  return {
    note(headers) {
      newest = readLeft(headers, monotonic()) ?? newest;
    },
    requireMore(doing) {
      if (newest === undefined || newest.remaining >= newest.limit * keptShare) return;
      const retryAfterMs = Math.ceil(newest.endsAt - monotonic());
      if (retryAfterMs <= 0) return;
      const { remaining: left, limit } = newest;
      const what = `${left} of ${limit} requests of this hour are left at ${scm}, and are kept for urgent calls`;
      const message = `${doing} waits ${Math.ceil(retryAfterMs / 1000)} s: ${what}`;
      throw new ScmUnavailable(message, { retryAfterMs, kept: { kind: "rest", left, limit } });
    },
  };
}
