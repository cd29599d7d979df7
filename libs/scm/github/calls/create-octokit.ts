import type { Token } from "#libs/runtime";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";

import { createScmFetch } from "../../http/scm-fetch.ts";
import { chooseAuth } from "./token-hook.ts";
import type { ThrottleGroups } from "./throttle-groups.ts";

/** How to reach the API, and how often to try. */
export interface OctokitSettings {
  readonly baseUrl: string;
  readonly owner: string;
  readonly repo: string;
  /** A permanent token, or a source of an App's installation tokens. */
  readonly token: Token;
  /** Spacing of writes; absent: Octokit's own (1 s, and 3 s for writes that notify people). */
  readonly throttle?: ThrottleGroups;
  /** Limit of one HTTP request, body included; default 30,000 ms. */
  readonly timeoutMs?: number;
  /** Unit of the waits between tries (1 and 4 units); default 1,000 ms. */
  readonly retryBaseMs?: number;
}

/** Shorter waits are spent inside the call; a longer one would hold up a planner that has other work. */
const patienceSeconds = 10;

const Client = Octokit.plugin(throttling, retry);
export type Client = InstanceType<typeof Client>;

/** Octokit with the spacing, retries and waits that GitHub documents. */
export function createOctokit(settings: OctokitSettings): Client {
  const base = settings.retryBaseMs ?? 1000;
  const retriesAfterWait = (retryAfter: number, _options: unknown, _octokit: unknown, retryCount: number): boolean =>
    retryAfter <= patienceSeconds && retryCount < 2;
  const silent = (): void => undefined;
  return new Client({
    baseUrl: settings.baseUrl,
    ...chooseAuth(settings.token),
    userAgent: "meshroll",
    // Every error reaches the caller as an exception; Octokit's own log would repeat it on the console.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    request: { fetch: createScmFetch({ baseUrl: settings.baseUrl, timeoutMs: settings.timeoutMs ?? 30_000 }) },
    throttle: {
      id: `${settings.baseUrl} ${settings.owner}/${settings.repo}`,
      retryAfterBaseValue: base,
      ...settings.throttle,
      onRateLimit: retriesAfterWait,
      onSecondaryRateLimit: retriesAfterWait,
    },
    // 405 and 409 are answers (protection, a moved head). 429 is handled by the throttle; a retry would prolong the ban.
    retry: {
      retries: 2,
      retryAfterBaseValue: base,
      doNotRetry: [304, 400, 401, 403, 404, 405, 409, 410, 422, 429, 451],
    },
  });
}
