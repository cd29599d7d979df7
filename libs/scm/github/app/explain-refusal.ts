import { readBanMs, readStatus } from "../../http/classify.ts";
import { ScmRefused, ScmUnavailable } from "../../port/errors.ts";
import type { ScmReason } from "../../port/errors.ts";

/** The App and repository of a call, and the clocks at its answer. */
export interface Asked {
  readonly app: string;
  readonly place: string;
  /** Epoch ms of this machine when the answer came. */
  readonly now: number;
  /** Epoch ms of GitHub by its answer; absent: it did not say. */
  readonly githubNow?: number | undefined;
}

interface Refusal {
  readonly reason: ScmReason;
  readonly what: string;
  readonly fix: string;
}

function describeClock({ now, githubNow }: Asked): string {
  if (githubNow === undefined) return "this machine's clock is not GitHub's";
  const seconds = Math.round((now - githubNow) / 1000);
  return `this machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} GitHub's`;
}

const settings = "its settings at GitHub (Settings, Developer settings, GitHub Apps)";

/** By status and text of GitHub's answer; the first match decides. */
const refusals: readonly (readonly [status: number, words: RegExp, refuse: (asked: Asked) => Refusal])[] = [
  [
    401,
    /'(?:issued at|expiration time)' claim/i,
    (asked) => ({
      reason: "AppClockOff",
      what: `${describeClock(asked)}: it accepts no token of App ${asked.app}`,
      fix: "set this machine's clock: timedatectl set-ntp true",
    }),
  ],
  [
    401,
    /could not be decoded|public key/i,
    ({ app }) => ({
      reason: "AppKeyWrong",
      what: `GitHub does not know the private key as one of App ${app}`,
      fix: `make a new private key in ${settings}, and put it where the old one is`,
    }),
  ],
  [
    403,
    /suspended/i,
    ({ app, place }) => ({
      reason: "AppSuspended",
      what: `the installation of App ${app} for ${place} is suspended`,
      fix: "unsuspend it: Settings of the organisation, GitHub Apps, Configure",
    }),
  ],
  [
    404,
    /integration not found/i,
    ({ app }) => ({
      reason: "AppUnknown",
      what: `GitHub knows no App ${app}`,
      fix: `set MESHROLL_GITHUB_APP_ID to the id in ${settings}`,
    }),
  ],
  [
    404,
    /./,
    ({ app, place }) => ({
      reason: "AppNotInstalled",
      what: `App ${app} is not installed for ${place}`,
      fix: "install it there (Install App in its settings), or set MESHROLL_GITHUB_REPOSITORY to the repository's name of today",
    }),
  ],
  [
    422,
    /permissions requested are not granted/i,
    ({ app }) => ({
      reason: "AppRightMissing",
      what: `the installation of App ${app} lacks rights that meshroll uses`,
      fix: "meshroll doctor --only github names them; grant them in its settings and accept them in the installation",
    }),
  ],
  [
    422,
    /repository/i,
    ({ app, place }) => ({
      reason: "AppNotForRepository",
      what: `the installation of App ${app} does not reach ${place}: it is not selected, or has another name today`,
      fix: "select it in the installation (Configure, Repository access), or set MESHROLL_GITHUB_REPOSITORY to its name of today",
    }),
  ],
  [
    401,
    /./,
    ({ app }) => ({
      reason: "AppUnknown",
      what: `GitHub accepts no token of App ${app}`,
      fix: `set MESHROLL_GITHUB_APP_ID to the id in ${settings}`,
    }),
  ],
];

/** Why GitHub made no token, as `ScmRefused` or `ScmUnavailable`; errors without an answer of GitHub stay as they are. */
export function explainRefusal(error: unknown, asked: Asked): Error {
  const answer = readStatus(error);
  if (answer === undefined) return error instanceof Error ? error : new Error(String(error));
  const { status, message } = answer;
  const doing = `asking GitHub for a token of App ${asked.app}`;
  const waitMs = readBanMs(error, asked.now);
  if (waitMs !== undefined) {
    const text = `${doing} waits: its rate limit is used up for ${Math.ceil(waitMs / 1000)} s`;
    return new ScmUnavailable(text, { cause: error, retryAfterMs: waitMs });
  }
  for (const [code, words, refuse] of refusals) {
    if (code !== status || !words.test(message)) continue;
    const { reason, what, fix } = refuse(asked);
    // No status: Octokit takes an error with a status, thrown inside a request, for the answer to that request.
    return new ScmRefused(`${what} (GitHub answered ${status}: ${message.slice(0, 300)})`, fix, {
      cause: error,
      reason,
    });
  }
  if (status < 400 || status >= 500 || status === 408)
    return new ScmUnavailable(`${doing} failed: ${status} ${message.slice(0, 300)}`, { cause: error });
  return new ScmRefused(`${doing} failed: GitHub answered ${status}: ${message.slice(0, 300)}`, `look at ${settings}`, {
    cause: error,
  });
}
