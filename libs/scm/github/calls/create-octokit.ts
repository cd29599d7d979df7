import type { Token } from "#libs/runtime";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";

import type { Limits } from "../../http/limits.ts";
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
  /** Ms of a clock that never goes back, by which limits end; default: this machine's. */
  readonly monotonic?: () => number;
  /** Unit of the waits between tries (1 and 4 units); default 1,000 ms. */
  readonly retryBaseMs?: number;
}

const Client = Octokit.plugin(throttling, retry);
export type Client = InstanceType<typeof Client>;

/** Octokit with the spacing and retries that GitHub documents. */
export function createOctokit(settings: OctokitSettings, limits: Limits): Client {
  const base = settings.retryBaseMs ?? 1000;
  // A wait inside a call would end neither the requests of others nor the caller's round.
  const never = (): boolean => false;
  const silent = (): void => undefined;
  const { noteAnswer } = limits;
  const { baseUrl, timeoutMs = 30_000 } = settings;
  const client = new Client({
    baseUrl: settings.baseUrl,
    ...chooseAuth(settings.token),
    userAgent: "meshroll",
    // Every error reaches the caller as an exception; Octokit's own log would repeat it on the console.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    request: { fetch: createScmFetch({ baseUrl, timeoutMs, noteAnswer }) },
    throttle: {
      id: `${settings.baseUrl} ${settings.owner}/${settings.repo}`,
      retryAfterBaseValue: base,
      ...settings.throttle,
      onRateLimit: never,
      onSecondaryRateLimit: never,
    },
    // 405 and 409 are answers (protection, a moved head). 429 is handled by the throttle; a retry would prolong the ban.
    retry: {
      retries: 2,
      retryAfterBaseValue: base,
      doNotRetry: [304, 400, 401, 403, 404, 405, 409, 410, 422, 429, 451],
    },
  });
  client.hook.before("request", limits.requireNoBan);
  return client;
}
