import { createHash } from "node:crypto";

import { collectBytes, createEvictingSet } from "#libs/runtime";

type Fetch = typeof globalThis.fetch;

interface Remembered {
  readonly etag: string;
  /** The login for which GitHub made the ETag. */
  readonly authorization: string | null;
  readonly body: string;
  readonly headers: Headers;
  readonly at: string;
}

/** Enough for the five addresses of each of a thousand open pull requests: each round reads them all. */
const mostRemembered = { mostMembers: 5000, mostWeight: 64 * 1024 * 1024 } as const;
/** Room for a page of a hundred comments of 64 KiB each, as JSON. */
const mostBytes = 32 * 1024 * 1024;

function rebuild(body: string, status: number, headers: Headers, url: string): Response {
  const kept = new Headers(headers);
  // The body is whole and unpacked now: headers about its old length and encoding would be wrong.
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) kept.delete(name);
  const response = new Response(status === 204 || status === 304 ? null : body, { status, headers: kept });
  // A `Response` made here has no address, and callers ask where a redirect led.
  Object.defineProperty(response, "url", { value: url });
  return response;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** A renamed repository is one redirect. */
const mostRedirects = 3;

/**
 * Where a redirect leads on the same server; undefined: the answer is not a redirect. Throws for another server, which would get
 * our token.
 */
function findNext(response: Response, from: string): string | undefined {
  const location = response.headers.get("location");
  if (!redirects.has(response.status) || location === null || !URL.canParse(location, from)) return undefined;
  const next = new URL(location, from);
  if (next.origin === new URL(from).origin && next.username === "" && next.password === "") return next.href;
  throw new Error(
    `${new URL(from).origin} redirects to ${next.origin}, which is not followed: name the API's own address`,
  );
}

/** Follows redirects with the same method and body: a write that became a GET would look as if it had worked. */
async function follow(url: string, init: RequestInit): Promise<{ readonly response: Response; readonly at: string }> {
  let at = url;
  for (let done = 0; done <= mostRedirects; done += 1) {
    const response = await fetch(at, { ...init, redirect: "manual" });
    const next = findNext(response, at);
    if (next === undefined) return { response, at };
    await response.body?.cancel();
    at = next;
  }
  throw new Error(`${new URL(url).origin} redirects more than ${mostRedirects} times`);
}

/** Refuses addresses of other servers (an answer may name one for its next page): they would get our token. */
function requireOwn(url: string, baseUrl: string): void {
  const [asked, own] = [new URL(url).origin, new URL(baseUrl).origin];
  if (asked !== own) throw new Error(`${asked} is not ${own}, and requests go only there`);
}

/** Where requests go, and their limits. */
export interface FetchLimits {
  /** Address of the API: requests to other servers are refused. */
  readonly baseUrl: string;
  /** For the whole answer, including its body. */
  readonly timeoutMs: number;
  /** Default 32 MiB. */
  readonly mostBytes?: number;
}

interface ScmFetchOptions extends FetchLimits {
  /** Called with the headers of each answer. */
  readonly noteAnswer?: (headers: Headers) => void;
}

/**
 * The ETag that GitHub will make of the same answer for another token: it is a hash of these parts, though GitHub does not
 * document it. An App's token lives an hour, and without this every read would count again after that. A wrong guess costs the
 * read that it would have cost anyway.
 */
function foretellEtag(headers: Headers, body: string): string {
  const parts = [headers.get("accept"), headers.get("authorization")].filter((part) => part !== null);
  return `W/"${createHash("sha256")
    .update([...parts, body].join(":"))
    .digest("hex")}"`;
}

function chooseEtag({ etag, authorization, body }: Remembered, headers: Headers): string {
  return headers.get("authorization") === authorization ? etag : foretellEtag(headers, body);
}

/** A page that is the same may be followed by others since: an ETag is of the body alone. */
function takeLink(remembered: Headers, current: Headers): Headers {
  const link = current.get("link");
  if (link === null) return remembered;
  const headers = new Headers(remembered);
  headers.set("link", link);
  return headers;
}

/** One request to the API; its answer is read whole. */
export async function fetchWhole(url: string, init: RequestInit, limits: FetchLimits): Promise<Response> {
  requireOwn(url, limits.baseUrl);
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const { response, at } = await follow(url, { ...init, signal });
  // Read here, so that an answer that is cut off fails like a lost connection and is requested again.
  const body = (await collectBytes(response.body, limits.mostBytes ?? mostBytes)).toString("utf8");
  return rebuild(body, response.status, response.headers, at);
}

/**
 * A `fetch` within these limits, with conditional reads: a poll that finds nothing new costs nothing of GitHub's rate limit,
 * and a 304 proves that the remembered answer is still true. Takes addresses only: the headers and body of a `Request` would be
 * lost.
 */
export function createScmFetch({ noteAnswer, ...limits }: ScmFetchOptions): Fetch {
  const remembered = new Map<string, Remembered>();
  const kept = createEvictingSet<string>(mostRemembered, (url) => remembered.delete(url));

  function keep(url: string, entry: Remembered): void {
    remembered.set(url, entry);
    // As the newest: what is read each round is not evicted by what was read once.
    kept.add(url, entry.body.length);
  }

  async function remember(url: string, response: Response, authorization: string | null): Promise<Response> {
    const etag = response.headers.get("etag");
    remembered.delete(url);
    kept.delete(url);
    if (etag === null || response.status !== 200) return response;
    const { headers } = response;
    const body = await response.text();
    keep(url, { etag, authorization, body, headers, at: response.url });
    return rebuild(body, 200, headers, response.url);
  }

  async function send(url: string, init: RequestInit): Promise<Response> {
    const response = await fetchWhole(url, init, limits);
    noteAnswer?.(response.headers);
    return response;
  }

  async function read(url: string, init: RequestInit | undefined): Promise<Response> {
    const headers = new Headers(init?.headers);
    const authorization = headers.get("authorization");
    const before = remembered.get(url);
    const known = before && { ...before, etag: chooseEtag(before, headers), authorization };
    if (known !== undefined) headers.set("if-none-match", known.etag);
    const response = await send(url, { ...init, headers });
    if (response.status !== 304 || known === undefined) return remember(url, response, authorization);
    const current = { ...known, headers: takeLink(known.headers, response.headers) };
    keep(url, current);
    return rebuild(current.body, 200, current.headers, current.at);
  }

  return async (input, init) => {
    if (input instanceof Request) throw new TypeError("an address is needed, not a Request");
    const isRead = (init?.method ?? "GET").toUpperCase() === "GET";
    return isRead ? read(String(input), init) : send(String(input), init ?? {});
  };
}
