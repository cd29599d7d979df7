import { collectBytes, createEvictingSet } from "#libs/runtime";

type Fetch = typeof globalThis.fetch;

interface Remembered {
  readonly etag: string;
  readonly body: string;
  readonly headers: Headers;
  readonly at: string;
}

/** Enough for a few addresses of each open pull request. */
const mostRemembered = { mostMembers: 1000, mostWeight: 64 * 1024 * 1024 } as const;
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
export function createScmFetch(limits: FetchLimits): Fetch {
  const remembered = new Map<string, Remembered>();
  const kept = createEvictingSet<string>(mostRemembered, (url) => remembered.delete(url));

  async function remember(url: string, response: Response): Promise<Response> {
    const etag = response.headers.get("etag");
    remembered.delete(url);
    kept.delete(url);
    if (etag === null || response.status !== 200) return response;
    const { headers } = response;
    const body = await response.text();
    remembered.set(url, { etag, body, headers, at: response.url });
    kept.add(url, body.length);
    return rebuild(body, 200, headers, response.url);
  }

  return async (input, init) => {
    if (input instanceof Request) throw new TypeError("an address is needed, not a Request");
    const url = String(input);
    const reads = (init?.method ?? "GET").toUpperCase() === "GET";
    const known = reads ? remembered.get(url) : undefined;
    const headers = new Headers(init?.headers);
    if (known !== undefined) headers.set("if-none-match", known.etag);
    const response = await fetchWhole(url, { ...init, headers }, limits);
    if (response.status === 304 && known !== undefined) return rebuild(known.body, 200, known.headers, known.at);
    return reads ? remember(url, response) : response;
  };
}
