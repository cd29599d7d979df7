import { explainSystemError, placeSystemError } from "#libs/input";
import http from "node:http";
import https from "node:https";
import { createGunzip } from "node:zlib";

import type { WebSocket } from "ws";

import { collectBytes } from "#libs/runtime";

import { createCredentials, type GiveCredentials } from "../access/credentials.ts";
import type { KubeconfigSource } from "../access/find-kubeconfig.ts";
import { loadKubeconfig } from "../access/kubeconfig.ts";
import {
  ANSWER_MS,
  type ApiAnswer,
  type ApiCall,
  OBJECT_BYTES,
  PATIENCE,
  ServerSilent,
  ServerUnreachable,
} from "./api-call.ts";
import { nameConnectionFix } from "./connection-fix.ts";
import { openSocket } from "./open-socket.ts";

/** Talks to one API server with the kubeconfig's credentials. */
export interface Connection {
  /** Sends one request and reads the whole answer. */
  send(call: ApiCall, signal?: AbortSignal): Promise<ApiAnswer>;
  /** Reads an answer while it arrives; ends with ServerUnreachable after `idleMs` without a byte. */
  open(path: string, idleMs: number, signal: AbortSignal): Promise<ApiAnswer | AsyncIterable<Buffer>>;
  /** Opens a WebSocket of this subprotocol, or the server's answer instead of one. Rejects with ServerUnreachable. */
  dial(path: string, protocol: string, timeoutMs: number): Promise<ApiAnswer | WebSocket>;
  /** The server answered 401: reads the kubeconfig again, whose tokens and certificates may have been replaced. */
  renew(): Promise<void>;
  /** The server cannot be reached: uses the kubeconfig's new content where it has changed. */
  reread(): Promise<void>;
}

/** Called with what the server sends. */
export interface Listener {
  /** Any byte arrived. */
  readonly onBytes: () => void;
  /** The `Date` header of an answer of the API server itself. */
  readonly onDate: (date: string | undefined) => void;
}

export async function connect(source: KubeconfigSource, { onBytes, onDate }: Listener): Promise<Connection> {
  let access = await loadAccess(source);
  let reading: Promise<void> | undefined;
  /** All watches fail together, so the file is read once for all of them. */
  const readAgain = async (isWanted: (fresh: Access) => boolean): Promise<void> => {
    reading ??= loadAccess(source)
      .then((fresh) => void (isWanted(fresh) && (access = fresh)))
      .finally(() => void (reading = undefined));
    return reading;
  };
  const agents = [new http.Agent({ keepAlive: true }), new https.Agent({ keepAlive: true })] as const;
  // An API server closes the connection of a WebSocket that was refused behind it, so none is used again.
  const once = [new http.Agent(), new https.Agent()] as const;
  const request = async (call: ApiCall, times: Times, signal?: AbortSignal) => {
    const { url, options } = await prepare(access, call, agents);
    const response = await exchange(url, { ...options, ...(signal === undefined ? {} : { signal }) }, call, times);
    onBytes();
    // An answer passed on from another server has that server's time.
    if (call.isPassedOn !== true) onDate(response.headers.date);
    return response;
  };
  return {
    send: async (call, signal) => {
      const idleMs = call.timeoutMs ?? ANSWER_MS;
      const response = await request(call, { idleMs, isFollowed: false }, signal);
      return readAnswer(response, call.mostBytes ?? OBJECT_BYTES, onBytes);
    },
    open: async (path, idleMs, signal) => {
      const response = await request({ method: "GET", path }, { idleMs, isFollowed: true }, signal);
      if (response.statusCode !== 200) return readAnswer(response, OBJECT_BYTES, onBytes);
      return readChunks(response, onBytes);
    },
    dial: async (path, protocol, timeoutMs) => {
      // A kubelet declares no media type for a forwarded port, and answers 406 to who asks for one by name.
      const { url, options } = await prepare(access, { method: "GET", path }, once, "*/*");
      const opened = await openSocket(url, options, protocol, timeoutMs).catch((error: unknown) => {
        throw wrap(url.host, error);
      });
      onBytes();
      return opened instanceof http.IncomingMessage ? readAnswer(opened, OBJECT_BYTES, onBytes) : opened;
    },
    renew: async () => readAgain(() => true),
    // Only a changed file is used: a server that is merely away must not make each credential plugin run again.
    reread: async () => readAgain((fresh) => fresh.text !== access.text),
  };
}

const longestQuietMs = 120_000;

interface Times {
  readonly idleMs: number;
  /** The body of a success is a stream that is read until it ends. */
  readonly isFollowed: boolean;
}

type Agents = readonly [plain: http.Agent, secure: https.Agent];

interface Access {
  readonly server: string;
  /** The kubeconfig's text for this context, to compare. */
  readonly text: string;
  readonly giveCredentials: GiveCredentials;
}

async function loadAccess(source: KubeconfigSource): Promise<Access> {
  const context = await loadKubeconfig(source);
  const server = context.cluster.server.replace(/\/$/, "");
  return { server, text: JSON.stringify(context), giveCredentials: createCredentials(context) };
}

async function prepare(
  { server, giveCredentials }: Access,
  call: ApiCall,
  [plain, secure]: Agents,
  accept = "application/json",
) {
  const url = new URL(server + call.path);
  const given = await giveCredentials().catch((error: unknown) => {
    // A failing credential plugin may work at the next try, like any other fault of the connection.
    const why = placeSystemError(error);
    throw new ServerUnreachable(`no credentials for ${url.host}: ${why}`, { cause: error });
  });
  const options: https.RequestOptions = {
    ...given.options,
    agent: given.agent ?? (url.protocol === "http:" ? plain : secure),
    method: call.method,
    headers: {
      ...given.headers,
      accept,
      "user-agent": "meshroll",
      ...(call.path.includes("limit=") ? { "accept-encoding": "gzip" } : {}),
      ...(call.contentType === undefined ? {} : { "content-type": call.contentType }),
    },
  };
  return { url, options };
}

function exchange(
  url: URL,
  options: https.RequestOptions,
  call: ApiCall,
  { idleMs, isFollowed }: Times,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    let end = (error: Error): void => void request.destroy(error);
    const request = startRequest(url, options, (response) => {
      // Once the answer has begun, its stream reports why it broke.
      end = (error) => void response.destroy(error);
      request.setTimeout(idleMs, () => response.destroy(describeSilence(idleMs)));
      if (isFollowed && response.statusCode === 200) clearTimeout(limit);
      resolve(response);
    });
    // A limit for the whole answer: single bytes now and then keep it open no longer. It starts with the answer, so that a
    // request that cannot begin leaves no timer.
    const limitMs = PATIENCE * idleMs;
    const limit = setTimeout(() => end(new Error(`no whole answer within ${limitMs} ms`)), limitMs);
    request.once("close", () => clearTimeout(limit));
    request.setTimeout(idleMs, () => request.destroy(describeSilence(idleMs)));
    request.on("error", (error) => reject(wrap(url.host, error)));
    request.end(call.body === undefined ? undefined : JSON.stringify(call.body));
  });
}

/** Throws `ServerUnreachable` at once where a certificate or key of the kubeconfig cannot be parsed. */
function startRequest(
  url: URL,
  options: https.RequestOptions,
  onAnswer: (response: http.IncomingMessage) => void,
): http.ClientRequest {
  try {
    return (url.protocol === "http:" ? http.request : https.request)(url, options, onAnswer);
  } catch (error) {
    throw wrap(url.host, error);
  }
}

function describeSilence(idleMs: number): Error {
  return new ServerSilent(`no byte for ${idleMs} ms`);
}

async function* readChunks(response: http.IncomingMessage, onBytes: () => void): AsyncGenerator<Buffer> {
  const { "content-encoding": encoding } = response.headers;
  const body = encoding === "gzip" ? response.pipe(createGunzip()) : response;
  // `pipe` does not forward an error of its source: without this a cut answer would never end.
  if (body !== response) response.on("error", (error) => body.destroy(error));
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      onBytes();
      yield chunk;
    }
  } catch (error) {
    throw wrap("the API server", error);
  } finally {
    response.destroy();
  }
}

async function readAnswer(response: http.IncomingMessage, mostBytes: number, onBytes: () => void): Promise<ApiAnswer> {
  const bytes = await collectBytes(readChunks(response, onBytes), mostBytes).catch((error: unknown) => {
    throw error instanceof ServerUnreachable ? error : wrap("the API server", error);
  });
  const text = bytes.toString("utf8");
  const seconds = Number(response.headers["retry-after"] ?? Number.NaN);
  return {
    status: response.statusCode ?? 0,
    body: parseBody(text, response.statusCode === 200 && isJson(response)),
    ...(Number.isFinite(seconds) ? { retryAfterMs: Math.min(Math.max(0, seconds * 1000), longestQuietMs) } : {}),
  };
}

function isJson({ headers }: http.IncomingMessage): boolean {
  return headers["content-type"]?.startsWith("application/json") ?? false;
}

/** A success that is not the promised JSON is a broken answer; a failure may be any proxy's page. */
function parseBody(text: string, mustParse: boolean): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (mustParse)
      throw new ServerUnreachable(`the API server's answer is no JSON: ${String(error)}`, { cause: error });
    return text;
  }
}

function wrap(host: string, error: unknown): ServerUnreachable {
  const fix = nameConnectionFix((error as { readonly code?: unknown } | null | undefined)?.code);
  // The rest of Node's message is a place in OpenSSL's source, or advice about Node's options.
  const [said = ""] = explainSystemError(error).split(/:\.\.|; if the root CA/u);
  return new ServerUnreachable(`${host}: ${said}`, { cause: error, fix });
}
