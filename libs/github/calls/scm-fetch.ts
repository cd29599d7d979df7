import { collectBytes, createEvictingSet } from "#libs/runtime";

type Fetch = typeof globalThis.fetch;

interface Remembered {
  readonly etag: string;
  readonly body: string;
  readonly headers: Headers;
}

/** A few addresses for each open pull request. */
const mostRemembered = { mostMembers: 1000, mostWeight: 64 * 1024 * 1024 } as const;
/** A hundred comments of 64 KiB each, as JSON, several times over. */
const mostBytes = 32 * 1024 * 1024;

function rebuild(body: string, status: number, headers: Headers): Response {
  const kept = new Headers(headers);
  // The body was unpacked and read whole; its old length and packing would be lies.
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) kept.delete(name);
  return new Response(status === 204 || status === 304 ? null : body, { status, headers: kept });
}

/**
 * A `fetch` with a limit (ms) over the whole answer, body included, one over its size, and conditional reads: a poll that finds nothing new
 * costs nothing of GitHub's rate limit, and a 304 is proof that the remembered answer is still true.
 */
export function createScmFetch(timeoutMs: number): Fetch {
  const remembered = new Map<string, Remembered>();
  const kept = createEvictingSet<string>(mostRemembered, (url) => remembered.delete(url));

  function remember(url: string, response: Response, body: string): void {
    const etag = response.headers.get("etag");
    remembered.delete(url);
    kept.delete(url);
    if (etag === null || response.status !== 200) return;
    remembered.set(url, { etag, body, headers: response.headers });
    kept.add(url, body.length);
  }

  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const reads = (init?.method ?? "GET").toUpperCase() === "GET";
    const known = reads ? remembered.get(url) : undefined;
    const headers = new Headers(init?.headers);
    if (known !== undefined) headers.set("if-none-match", known.etag);
    const response = await fetch(input, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) });
    // Read here, so that an answer cut off midway fails like a lost connection and is requested again.
    const body = (await collectBytes(response.body, mostBytes)).toString("utf8");
    if (response.status === 304 && known !== undefined) return rebuild(known.body, 200, known.headers);
    if (reads) remember(url, response, body);
    return rebuild(body, response.status, response.headers);
  };
}
