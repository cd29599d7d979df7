import { isPrivate } from "#libs/input";

import { NotInStore, StoreUnavailable } from "../errors.ts";
import type { ArtifactStore } from "../port.ts";
import { isStorePath } from "./store-path.ts";

/** Real ms after which a transfer is looked at: whether anything came, and whether it was enough. What came is kept, and continued. */
const idleMs = 30_000;
/** In bytes a second: who sends fewer holds the agent of a VM for as long as they like, though something always comes. */
const slowest = 1000;

/** Ends the transfer when too little comes: a store that says nothing, or a byte now and then, must not hold the agent. */
async function* watchIdle(body: AsyncIterable<Uint8Array>, limit: AbortController, from: number, ms: number) {
  let left = from;
  let came = 0;
  const timer = setInterval(() => {
    if (came < (slowest * ms) / 1000) limit.abort(new Error(`${came} bytes came within ${ms} ms`));
    came = 0;
  }, ms);
  try {
    for await (const chunk of body) {
      came += chunk.byteLength;
      const skipped = Math.min(left, chunk.byteLength);
      left -= skipped;
      if (skipped < chunk.byteLength) yield chunk.subarray(skipped);
    }
  } catch (error) {
    throw new StoreUnavailable(`the transfer broke: ${describe(error)}`, { cause: error });
  } finally {
    clearInterval(timer);
  }
}

function describe(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

interface Request {
  readonly root: URL;
  readonly path: string;
  readonly offset: number;
  readonly limit: AbortController;
  readonly idleMs: number;
}

async function ask({ root, path, offset, limit, idleMs: ms }: Request, signal?: AbortSignal): Promise<Response> {
  const signals = signal === undefined ? [limit.signal] : [limit.signal, signal];
  const timer = setTimeout(() => limit.abort(new Error("no answer")), ms);
  try {
    return await fetch(new URL(path, root), {
      redirect: "error",
      signal: AbortSignal.any(signals),
      // What is measured and hashed are the file's own bytes.
      headers: { "accept-encoding": "identity", ...(offset === 0 ? {} : { range: `bytes=${offset}-` }) },
    });
  } catch (error) {
    throw new StoreUnavailable(`${root.host} cannot be reached: ${describe(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function refuse({ status, body }: Response, { root, path }: Request): Promise<AsyncIterable<Uint8Array>> {
  await body?.cancel();
  // S3 answers 403 for what is not there, unless one may list.
  if (status === 404 || status === 403) throw new NotInStore(`${root.host} has no ${path} (${status})`);
  // Nothing lies behind the end: the file is complete, or another one.
  if (status === 416) return nothing();
  throw new StoreUnavailable(`${root.host} answers ${status} for ${path}`);
}

/**
 * A store behind a web server: S3, GCS, nginx, or anything that serves files. HTTPS only, but for this machine. A redirect is not
 * followed: it could lead to plain HTTP, or inside. Throws a `TypeError` for an address that is neither.
 */
export function openHttpStore(base: string, options: { readonly idleMs?: number } = {}): ArtifactStore {
  const root = new URL(base.endsWith("/") ? base : `${base}/`);
  if (!isPrivate(root) || root.username !== "" || root.password !== "") {
    throw new TypeError("an artifact store is reached by https://, without a login in its address");
  }
  return {
    address: root.href,
    async read(path, offset, signal) {
      if (!isStorePath(path)) throw new NotInStore(`${path} is no path in a store`);
      const request = { root, path, offset, limit: new AbortController(), idleMs: options.idleMs ?? idleMs };
      const response = await ask(request, signal);
      const { status, body } = response;
      if ((status !== 200 && status !== 206) || body === null) return refuse(response, request);
      return watchIdle(body, request.limit, status === 206 ? 0 : offset, request.idleMs);
    },
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
