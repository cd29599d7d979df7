import { isPrivate } from "#libs/input";

import { NotInStore, StoreUnavailable } from "../errors.ts";
import type { ArtifactStore } from "../port.ts";
import { isStorePath } from "./store-path.ts";

/** A transfer is checked this often, real ms: it must have received enough since. What was received is kept and continued. */
const idleMs = 30_000;
/** Least bytes per second: a slower server would occupy the agent for as long as it likes. */
const slowest = 1000;

/** Ends a transfer that is too slow or silent. */
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
      // The bytes that are measured and hashed must be the file's own.
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
  // S3 answers 403 for a missing file to those who may not list.
  if (status === 404 || status === 403) throw new NotInStore(`${root.host} has no ${path} (${status})`);
  // Nothing follows the end: the file is complete, or another one.
  if (status === 416) return nothing();
  throw new StoreUnavailable(`${root.host} answers ${status} for ${path}`);
}

/**
 * A store behind a web server: S3, GCS, nginx or any other. HTTPS only, except for this machine. Redirects are not followed:
 * they could lead to plain HTTP or to an internal address. Throws a `TypeError` for another address.
 */
export function openHttpStore(base: string, options: { readonly idleMs?: number } = {}): ArtifactStore {
  const root = new URL(base.endsWith("/") ? base : `${base}/`);
  if (!isPrivate(root) || root.username !== "" || root.password !== "") {
    throw new TypeError("an artifact store is reached by https://, without a login in its address");
  }
  return {
    address: root.href,
    async read(path, offset, signal) {
      if (!isStorePath(path)) throw new NotInStore(`${path} is not a path in a store`);
      const request = { root, path, offset, limit: new AbortController(), idleMs: options.idleMs ?? idleMs };
      const response = await ask(request, signal);
      const { status, body } = response;
      if ((status !== 200 && status !== 206) || body === null) return refuse(response, request);
      return watchIdle(body, request.limit, status === 206 ? 0 : offset, request.idleMs);
    },
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
