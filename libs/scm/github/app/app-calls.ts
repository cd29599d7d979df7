import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "@octokit/rest";
import { z } from "zod";

import { parseAnswer } from "../../http/parse-answer.ts";
import { fetchWhole } from "../../http/scm-fetch.ts";
import { ScmRefused } from "../../port/errors.ts";
import { type AppIdentity, readAppKey } from "./app-identity.ts";
import { type Asked, explainRefusal } from "./explain-refusal.ts";
import type { Rights } from "./rights.ts";

/** Which App, at which server, for which repository. */
export interface AppPlace {
  readonly baseUrl: string;
  readonly owner: string;
  readonly repo: string;
  readonly app: AppIdentity;
  /** Limit of one request; default 30,000 ms. */
  readonly timeoutMs?: number;
}

/** Where the App is installed, and with which rights. */
export interface Installation {
  readonly id: number;
  readonly permissions: Rights;
}

/** A token, and how long it is valid. */
export interface MadeToken {
  readonly token: string;
  readonly livesMs: number;
}

/** Calls as the App itself, by a signed web token. */
export interface AppCalls {
  findInstallation(): Promise<Installation>;
  makeToken(installation: number, wanted: Rights): Promise<MadeToken>;
}

const levels = z.record(z.string(), z.string()).transform((all) => {
  // A few permissions have level admin, which includes write.
  const known = Object.entries(all).map(([name, level]) => [name, level === "read" ? level : "write"] as const);
  return Object.fromEntries(known) as Rights;
});
/** Many times the size of an installation with all its permissions. */
const mostBytes = 1024 * 1024;

const installation = z.object({ id: z.int(), permissions: levels });
const made = z.object({ token: z.string().min(1), expiresAt: z.iso.datetime({ offset: true }) });

function refuseMoved(place: string): ScmRefused {
  const fix = "set MESHROLL_GITHUB_REPOSITORY and MESHROLL_REPO_URL to what it is called today";
  return new ScmRefused(`${place} was renamed or transferred`, fix, { reason: "RepositoryMoved" });
}

/** Calls as the App. Errors are `ScmRefused` with a reason, or `ScmUnavailable`. */
export function createAppCalls({ baseUrl, owner, repo, app, timeoutMs = 30_000 }: AppPlace): AppCalls {
  const here = { owner, repo };
  /** GitHub's time by its newest answer: a token's life is measured by the clock that ends it. */
  let githubNow: number | undefined;

  const timed: typeof fetch = async (input, init) => {
    if (input instanceof Request) throw new TypeError("an address is needed, not a Request");
    const answer = await fetchWhole(String(input), init ?? {}, { baseUrl, timeoutMs, mostBytes });
    const date = Date.parse(answer.headers.get("date") ?? "");
    githubNow = Number.isNaN(date) ? undefined : date;
    return answer;
  };
  const silent = (): void => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const octokit = new Octokit({ baseUrl, userAgent: "meshroll", log, request: { fetch: timed } });

  /** Opened for each call, because the key may have changed. */
  function openAuth(): ReturnType<typeof createAppAuth> {
    return createAppAuth({ appId: app.id, privateKey: readAppKey(app.key), request: octokit.request, log });
  }

  async function explain<T>(work: () => Promise<T>): Promise<T> {
    githubNow = undefined;
    try {
      return await work();
    } catch (error) {
      const asked: Asked = { app: app.id, place: `${owner}/${repo}`, now: Date.now(), githubNow };
      throw explainRefusal(error, asked);
    }
  }

  return {
    findInstallation: async () =>
      explain(async () => {
        const { token } = await openAuth()({ type: "app" });
        const headers = { authorization: `bearer ${token}` };
        const { data, url } =
          app.installation === undefined
            ? await octokit.rest.apps.getRepoInstallation({ ...here, headers })
            : await octokit.rest.apps.getInstallation({ installation_id: app.installation, headers });
        // For a renamed or transferred repository GitHub redirects to an address with the repository's number.
        if (/\/repositories\/\d+\//u.test(new URL(url).pathname)) throw refuseMoved(`${owner}/${repo}`);
        return parseAnswer(installation, data, "reading the App's installation");
      }),
    makeToken: async (installationId, wanted) =>
      explain(async () => {
        const permissions = { ...wanted };
        const one = { installationId, repositoryNames: [repo], permissions, refresh: true };
        const { token, expiresAt } = parseAnswer(
          made,
          await openAuth()({ type: "installation", ...one }),
          "making a token",
        );
        return { token, livesMs: Math.max(Date.parse(expiresAt) - (githubNow ?? Date.now()), 0) };
      }),
  };
}
