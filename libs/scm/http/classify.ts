import { z } from "zod";

import { ScmRefused, ScmUnavailable } from "../port/errors.ts";

const requestError = z.object({
  status: z.int(),
  message: z.string(),
  response: z.object({ headers: z.record(z.string(), z.unknown()) }).optional(),
});

interface Answer {
  readonly status: number;
  readonly message: string;
}

/** Status and text of an error that came from an HTTP answer (500 when there was none); undefined for other errors. */
export function readStatus(error: unknown): Answer | undefined {
  const parsed = requestError.safeParse(error);
  return error instanceof Error && parsed.success ? parsed.data : undefined;
}

/** GitHub counts its limits by the hour. A later time cannot be GitHub's and must not stop us for years. */
export const longestBanMs = 65 * 60_000;

/** Ms that an answer asks us to wait; undefined where it is not about a rate limit. */
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
  // GitHub's documentation: without a header wait at least a minute.
  return parsed.data.status === 429 || /secondary rate/i.test(parsed.data.message) ? 60_000 : undefined;
}

/** Whether this token may not read something, or it does not exist (GitHub answers both with 404); not a rate limit. */
export function isHidden(error: unknown): boolean {
  const status = readStatus(error)?.status;
  return (status === 403 || status === 404) && readBanMs(error, 0) === undefined;
}

/** The product that answers, as it is named in messages. */
export type ScmName = "GitHub" | "Gitea";

const rights: Readonly<Record<ScmName, string>> = {
  GitHub: "docs/how-to/require-checks.md",
  Gitea: "docs/how-to/run-on-gitea.md",
};

function nameFix(status: number, scm: ScmName): string {
  const fixes: Readonly<Record<number, string>> = {
    401: "renew the token",
    403: `give the token the rights that ${rights[scm]} lists`,
    404: "check owner and repository in the settings, and that the token may see it",
    410: `restore it on ${scm}`,
    422: `look at the pull request on ${scm}`,
  };
  return fixes[status] ?? `look at the repository on ${scm}`;
}

/** Permissions of an App that an answer asks for, in GitHub's names; undefined where it is about something else. */
function readLackingRights(error: unknown, { status, message }: Answer): string | undefined {
  if (status !== 403 || !/not accessible by integration/i.test(message)) return undefined;
  const accepted = requestError.safeParse(error).data?.response?.headers["x-accepted-github-permissions"];
  return typeof accepted === "string" && /^[\w=;, ]{1,200}$/u.test(accepted) ? accepted : "a right that the App lacks";
}

/** What a message about a failed call is made of. */
interface FailedCall {
  readonly doing: string;
  /** Removed from the message. */
  readonly token?: string;
  readonly scm: ScmName;
  /** Ms that the answer asks us to wait; absent: none. */
  readonly retryAfterMs?: number | undefined;
}

/** Turns an error that came from an HTTP answer into `ScmUnavailable` (try again) or `ScmRefused` (a person must act). */
export function classify(error: unknown, { doing, token, scm, retryAfterMs }: FailedCall): Error {
  if (error instanceof ScmUnavailable || error instanceof ScmRefused) return error;
  const answer = readStatus(error);
  if (answer === undefined) return error instanceof Error ? error : new Error(String(error));
  const said = token === undefined ? answer.message : answer.message.replaceAll(token, "[token]");
  const why = said.slice(0, 500);
  if (retryAfterMs !== undefined) {
    const wait = `${doing} waits ${Math.ceil(retryAfterMs / 1000)} s`;
    const message = `${wait}: ${scm}'s rate limit is used up (${why})`;
    return new ScmUnavailable(message, { cause: error, retryAfterMs });
  }
  if (answer.status >= 500 || answer.status === 408 || answer.status < 400) {
    return new ScmUnavailable(`${doing} failed: ${answer.status} ${why}`, {
      cause: error,
    });
  }
  return refuse(error, answer, { doing, scm, why });
}

interface Refused {
  readonly doing: string;
  readonly scm: ScmName;
  readonly why: string;
}

function refuse(error: unknown, answer: Answer, { doing, scm, why }: Refused): ScmRefused {
  const { status } = answer;
  const what = `${doing} failed: ${scm} answered ${status}: ${why}`;
  const lacking = readLackingRights(error, answer);
  if (lacking === undefined) return new ScmRefused(what, nameFix(status, scm), { cause: error, status });
  const fix = `grant it to meshroll's App and accept it in the installation: ${rights[scm]}`;
  return new ScmRefused(`${what}; it takes ${lacking}`, fix, { cause: error, status, reason: "AppRightMissing" });
}
