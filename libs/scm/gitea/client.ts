import { z } from "zod";

import { type Call, createCall } from "../http/call.ts";
import { createScmFetch } from "../http/scm-fetch.ts";
import { parseAnswer } from "../http/parse-answer.ts";
import { ScmUnavailable } from "../port/errors.ts";

/** Where the repository is, and how to log in. */
export interface GiteaOptions {
  /** Address of the server: `https://gitea.example.com`; its API is at `/api/v1` below it. */
  readonly baseUrl: string;
  readonly owner: string;
  readonly repo: string;
  readonly token: string;
  /** Limit of one HTTP request, body included; default 30,000 ms. */
  readonly timeoutMs?: number;
  /** Wait before a read is retried, and between tries of a merge that Gitea still checks; default 1,000 ms. */
  readonly retryBaseMs?: number;
}

export type Query = Readonly<Record<string, string | number>>;

/** Requests to the repository's part of the API; a path that starts with `/` is relative to `/api/v1`. */
export interface GiteaClient {
  readonly owner: string;
  readonly call: Call;
  get(path: string, query?: Query): Promise<unknown>;
  /** Reads all pages of a list. */
  list(path: string, doing: string, query?: Query): Promise<readonly unknown[]>;
  /** Never retried: a request whose answer was lost may have worked. */
  send(method: "POST" | "PATCH", path: string, body: unknown): Promise<unknown>;
  /** Waits `factor` times `retryBaseMs`. */
  pause(factor?: number): Promise<void>;
}

interface Answered {
  readonly data: unknown;
  /** How many entries a list has on all pages. NaN: the server does not say. */
  readonly total: number;
}

/** Gitea's default limit of a page. */
const pageSize = 50;
/** Far more than any list read here has. */
const mostPages = 400;
const mostTries = 3;

const refusal = z.object({ message: z.string() });

function readMessage(text: string): string {
  try {
    const parsed = refusal.safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data.message;
  } catch {
    // A proxy's page, or no body.
  }
  return text.trim() === "" ? "no reason given" : text.slice(0, 200);
}

/** An error with status, message and headers, as `readStatus` and `readBanMs` expect it. */
function makeError(
  status: number,
  message: string,
  headers: Readonly<Record<string, unknown>>,
  cause?: unknown,
): Error {
  return Object.assign(new Error(message, { cause }), { status, response: { headers } });
}

/** Opens a client. Sends nothing before the first call. */
export function createGiteaClient(options: GiteaOptions): GiteaClient {
  const { baseUrl, owner, repo, token, timeoutMs = 30_000, retryBaseMs = 1000 } = options;
  const api = `${baseUrl.replace(/\/+$/u, "")}/api/v1`;
  const request = createScmFetch({ baseUrl, timeoutMs });
  const json = "application/json";
  const headers = { authorization: `token ${token}`, accept: json, "content-type": json, "user-agent": "meshroll" };

  function locate(path: string, query: Query): string {
    const place = path.startsWith("/") ? path : `/repos/${owner}/${repo}${path === "" ? "" : `/${path}`}`;
    const pairs = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
    const search = new URLSearchParams(Object.fromEntries(pairs)).toString();
    return `${api}${place}${search === "" ? "" : `?${search}`}`;
  }

  async function exchange(url: string, init: RequestInit): Promise<Response> {
    try {
      return await request(url, { ...init, headers });
    } catch (error) {
      throw makeError(503, error instanceof Error ? error.message : String(error), {}, error);
    }
  }

  async function ask(url: string, init: RequestInit): Promise<Answered> {
    const response = await exchange(url, init);
    const text = await response.text();
    if (!response.ok) throw makeError(response.status, readMessage(text), Object.fromEntries(response.headers));
    const total = Number(response.headers.get("x-total-count") ?? Number.NaN);
    if (text.trim() === "") return { data: undefined, total };
    try {
      return { data: JSON.parse(text), total };
    } catch (error) {
      throw makeError(502, "the answer is no JSON", {}, error);
    }
  }

  const pause = async (factor = 1): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, retryBaseMs * factor));

  async function read(path: string, query: Query = {}): Promise<Answered> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await ask(locate(path, query), { method: "GET" });
      } catch (error) {
        const isOutage = z.object({ status: z.int().min(500) }).safeParse(error).success;
        if (!isOutage || tried === mostTries) throw error;
        await pause(tried);
      }
    }
  }

  return {
    owner,
    call: createCall(token, "Gitea"),
    pause,
    get: async (path, query) => (await read(path, query)).data,
    async list(path, doing, query = {}) {
      const all: unknown[] = [];
      for (let page = 1; page <= mostPages; page += 1) {
        const { data, total } = await read(path, { ...query, limit: pageSize, page });
        const items = parseAnswer(z.array(z.unknown()).nullable(), data, doing) ?? [];
        all.push(...items);
        // A server may return smaller pages than asked for: without a total only an empty page is the end.
        if (items.length === 0 || all.length >= total) return all;
      }
      throw new ScmUnavailable(`${doing} failed: the list has no end; is that Gitea?`);
    },
    async send(method, path, body) {
      return (await ask(locate(path, {}), { method, body: JSON.stringify(body) })).data;
    },
  };
}
