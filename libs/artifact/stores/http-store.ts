import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";

import { isPrivate } from "#libs/input";
import { askUrl } from "#libs/runtime";

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
    // Node's error says only that it was aborted.
    const why = describe(limit.signal.aborted ? limit.signal.reason : error);
    throw new StoreUnavailable(`the transfer broke: ${why}`, { cause: error });
  } finally {
    clearInterval(timer);
  }
}

function describe(error: unknown): string {
  // A name with several addresses: the error of each says why.
  if (error instanceof AggregateError) return error.errors.map(describe).join(", ");
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

interface Request {
  readonly root: URL;
  readonly path: string;
  readonly offset: number;
  readonly limit: AbortController;
  readonly idleMs: number;
  readonly token: (() => string) | undefined;
}

function makeHeaders({ offset, token }: Request): Readonly<Record<string, string>> {
  return {
    // The bytes that are measured and hashed must be the file's own.
    "accept-encoding": "identity",
    ...(offset === 0 ? {} : { range: `bytes=${offset}-` }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token()}` }),
  };
}

async function ask(request: Request, signal?: AbortSignal): Promise<IncomingMessage> {
  const { root, path, limit, idleMs: ms } = request;
  const signals = signal === undefined ? [limit.signal] : [limit.signal, signal];
  const timer = setTimeout(() => limit.abort(new Error("no answer")), ms);
  try {
    return await askUrl(new URL(path, root), { headers: makeHeaders(request), signal: AbortSignal.any(signals) });
  } catch (error) {
    throw new StoreUnavailable(`${root.host} cannot be reached: ${describe(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The longest body of a refusal that is read for its connection's sake. */
const mostRefusal = 64 * 1024;

/** Keeps the connection of a short answer: an agent asks for a newer root each time, and mostly there is none. */
async function dropBody(response: IncomingMessage, ms: number): Promise<void> {
  const length = Number(response.headers["content-length"] ?? Number.NaN);
  if (!(length <= mostRefusal)) return void response.destroy();
  response.setTimeout(ms, () => void response.destroy());
  // Where it breaks there is no connection to keep, and the status is known all the same.
  await finished(response.resume()).catch(() => undefined);
}

async function refuse(response: IncomingMessage, request: Request): Promise<AsyncIterable<Uint8Array>> {
  const { root, path, idleMs: ms, token } = request;
  const { statusCode: status = 0 } = response;
  await dropBody(response, ms);
  // S3 answers 403 for a missing file to those who may not list.
  if (status === 404 || status === 403) throw new NotInStore(`${root.host} has no ${path} (${status})`);
  // Nothing follows the end: the file is complete, or another one.
  if (status === 416) return nothing();
  const why = status === 401 ? (token === undefined ? ", which asks for a token" : ", which refuses the token") : "";
  throw new StoreUnavailable(`${root.host} answers ${status} for ${path}${why}`);
}

function checkEncoding({ headers }: IncomingMessage, { root, path }: Request): void {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return;
  throw new StoreUnavailable(`${root.host} answers ${path} compressed (${encoding}), which was not asked for`);
}

export interface HttpStoreOptions {
  readonly idleMs?: number;
  /** Read for each request, so that a token may change. Throws where there is none. */
  readonly token?: () => string;
}

/**
 * A store behind a web server: S3, GCS, nginx or any other. HTTPS only, except for this machine. Redirects are not followed:
 * they could lead to plain HTTP or to an internal address. Throws a `TypeError` for another address.
 */
export function openHttpStore(base: string, options: HttpStoreOptions = {}): ArtifactStore {
  const root = new URL(base.endsWith("/") ? base : `${base}/`);
  if (!isPrivate(root) || root.username !== "" || root.password !== "") {
    throw new TypeError("an artifact store is reached by https://, without a login in its address");
  }
  const { idleMs: ms = idleMs, token } = options;
  return {
    address: root.href,
    async read(path, offset, signal) {
      if (!isStorePath(path)) throw new NotInStore(`${path} is not a path in a store`);
      const request = { root, path, offset, limit: new AbortController(), idleMs: ms, token };
      const response = await ask(request, signal);
      const { statusCode: status } = response;
      if (status !== 200 && status !== 206) return refuse(response, request);
      try {
        checkEncoding(response, request);
      } catch (error) {
        response.destroy();
        throw error;
      }
      return watchIdle(response as AsyncIterable<Buffer>, request.limit, status === 206 ? 0 : offset, request.idleMs);
    },
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
