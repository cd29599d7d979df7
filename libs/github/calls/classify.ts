import { z } from "zod";

import { ScmRefused, ScmUnavailable } from "../errors.ts";

const requestError = z.object({
  status: z.int(),
  message: z.string(),
  response: z.object({ headers: z.record(z.string(), z.unknown()) }).optional(),
});

/** Status and text of an error that came from an HTTP answer (500 when none came); undefined for others. */
export function readStatus(error: unknown): { readonly status: number; readonly message: string } | undefined {
  const parsed = requestError.safeParse(error);
  return error instanceof Error && parsed.success ? parsed.data : undefined;
}

/** GitHub's limits are counted by the hour: what names a later time is no GitHub, and must not silence us for years. */
const longestBanMs = 65 * 60_000;

/** Ms that an answer asks us to wait; undefined when it is about something else than a rate limit. */
export function readBanMs(error: unknown, now: number): number | undefined {
  const asked = readWantedMs(error, now);
  return asked === undefined ? undefined : Math.min(asked, longestBanMs);
}

function readWantedMs(error: unknown, now: number): number | undefined {
  const parsed = requestError.safeParse(error);
  if (!parsed.success || ![403, 429].includes(parsed.data.status)) return undefined;
  const headers = parsed.data.response?.headers ?? {};
  if (headers["retry-after"] !== undefined) return (Number(headers["retry-after"]) || 60) * 1000;
  if (String(headers["x-ratelimit-remaining"]) === "0")
    return Math.max(Number(headers["x-ratelimit-reset"]) * 1000 - now + 1000, 1000);
  // Documented: without a header wait at least a minute.
  return parsed.data.status === 429 || /secondary rate/i.test(parsed.data.message) ? 60_000 : undefined;
}

const fixes: Readonly<Record<number, string>> = {
  401: "renew the token",
  403: "give the token the rights that docs/how-to/require-checks.md lists",
  404: "check owner and repository in the settings, and that the token may see it",
  410: "restore it on GitHub",
  422: "look at the pull request on GitHub",
};

/** Turns an error of Octokit into what the caller must do. The token never gets into a message. */
export function classify(error: unknown, doing: string, token: string, retryAfterMs?: number): Error {
  if (error instanceof ScmUnavailable || error instanceof ScmRefused) return error;
  const answer = readStatus(error);
  if (answer === undefined) return error instanceof Error ? error : new Error(String(error));
  const why = answer.message.replaceAll(token, "[token]").slice(0, 500);
  if (retryAfterMs !== undefined) {
    const wait = `${doing} waits ${Math.ceil(retryAfterMs / 1000)} s`;
    const message = `${wait}: GitHub's rate limit is used up (${why})`;
    return new ScmUnavailable(message, { cause: error, retryAfterMs });
  }
  if (answer.status >= 500 || answer.status === 408 || answer.status < 400) {
    return new ScmUnavailable(`${doing} failed: ${answer.status} ${why}`, {
      cause: error,
    });
  }
  const fix = fixes[answer.status] ?? "look at the repository on GitHub";
  return new ScmRefused(`${doing} failed: GitHub answered ${answer.status}: ${why}`, fix, {
    cause: error,
    status: answer.status,
  });
}
