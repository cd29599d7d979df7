import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { type ApiRequest, type ApiResponse, ISTIOD_TOKEN, type KubeModel } from "#fakes/kube";

import { createHttpFaults, type HttpFaults, type HttpFaultState, type ScriptedAnswer } from "./http-faults.ts";
import { renderKubeconfig } from "./kubeconfig.ts";
import { serveIstiods } from "./serve-istiods.ts";
import { createWatchConnections, type WatchConnections } from "./watch-connections.ts";

export interface KubeServerOptions {
  readonly model: KubeModel;
  /** Default: a free one. */
  readonly port?: number;
  /** Asked of every request when set. */
  readonly token?: string;
  /** Names of cluster, context and user in the kubeconfig. Default "sandbox". */
  readonly name?: string;
  /** Who the token's bearer is, in the model's log. */
  readonly user?: string;
  /** Real ms between bookmarks; default 5,000. */
  readonly bookmarkMs?: number;
}

export interface KubeServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** YAML with one context, which is the current one. */
  kubeconfig(): string;
  readonly faults: HttpFaults;
  close(): Promise<void>;
}

/** Serves the model over HTTP on the loopback interface as an API server. One server is one cluster. */
export async function startKube(options: KubeServerOptions): Promise<KubeServer> {
  const { model, port = 0, token, name = "sandbox", user = "meshroll-executor", bookmarkMs = 5_000 } = options;
  const watches = createWatchConnections(model, bookmarkMs);
  const faults = createHttpFaults({
    watches,
    token,
    expireLists: () => model.api.expireLists(),
    breakConnections: () => server.closeAllConnections(),
  });
  const server: Server = createServer((request, response) => {
    void answer({ model, faults, watches, user }, request, response);
  });
  const istiods = serveIstiods(model, ISTIOD_TOKEN);
  server.on("upgrade", (request, socket, head) => {
    const pod = judgeUpgrade({ model, faults, watches, user }, request);
    if (pod === undefined) socket.destroy();
    else if (typeof pod === "string") istiods.forward(request, socket, head, pod);
    else refuseUpgrade(socket, pod);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    faults,
    kubeconfig: () => renderKubeconfig([{ name, url, token: faults.token() }]),
    close: async () => {
      watches.close();
      istiods.close();
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Serving {
  readonly model: KubeModel;
  readonly faults: HttpFaultState;
  readonly watches: WatchConnections;
  readonly user: string;
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://sandbox");
  const body = parse(await text(request));
  const contentType = request.headers["content-type"];
  const call: ApiRequest = { method: request.method ?? "GET", path, query, contentType, body, user: serving.user };
  const result = choose(serving, request, call);
  if (result === "lost") response.socket?.destroy();
  else if (result !== "watch") await reply(request, response, result, serving.model.clock.now());
  else {
    const seconds = Number(query.get("timeoutSeconds") ?? 300);
    serving.watches.serve(response, path, query.get("resourceVersion") ?? "0", seconds);
  }
}

/** The pod whose port is opened; the answer instead; undefined: the connection breaks. */
function judgeUpgrade(serving: Serving, request: IncomingMessage): string | ApiResponse | undefined {
  const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://sandbox");
  const call: ApiRequest = { method: "GET", path, query, user: serving.user };
  const result = choose(serving, request, call);
  if (result === "lost" || result === "watch") return undefined;
  if (result.status !== 101) return result;
  // A kubelet declares no media type for this path, so it finds none that a client asks for by name.
  const { accept = "*/*" } = request.headers;
  return accept.includes("*/*") ? (path.split("/").at(-2) ?? "") : toResponse({ status: 406 });
}

/** As HTTP answers who asks for a WebSocket. */
function refuseUpgrade(socket: Duplex, { status, body }: ApiResponse): void {
  const content = JSON.stringify(body);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, "content-type: application/json", "connection: close"];
  socket.end(`${[...head, `content-length: ${Buffer.byteLength(content)}`].join("\r\n")}\r\n\r\n${content}`);
}

/** Faults of the wire first, then the token, then what the API server says. */
function choose(
  { model, faults }: Serving,
  request: IncomingMessage,
  call: ApiRequest,
): ApiResponse | "lost" | "watch" {
  if (faults.isRefusing()) return "lost";
  const scripted = faults.takeAnswer({ method: call.method, url: request.url ?? "/" });
  if (scripted !== undefined) return toResponse(scripted);
  if (!isAuthorized(request, faults.token())) return toResponse({ status: 401 });
  if (call.query.has("watch")) return model.api.intercept(call) ?? "watch";
  return model.api.handle(call);
}

function isAuthorized({ headers }: IncomingMessage, token: string | undefined): boolean {
  return token === undefined || headers.authorization === `Bearer ${token}`;
}

/** What is no JSON is passed on as text: the model refuses it in the API server's words. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body === "" ? undefined : body;
  }
}

const REASONS: Readonly<Record<number, string>> = { 401: "Unauthorized", 410: "Expired", 429: "TooManyRequests" };

function toResponse({ status, retryAfterSeconds, message }: ScriptedAnswer): ApiResponse {
  const reason = REASONS[status] ?? "InternalError";
  return {
    status,
    body: { kind: "Status", apiVersion: "v1", status: "Failure", message: message ?? reason, reason, code: status },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** The API server compresses what is worth it. */
const COMPRESS_FROM = 128 * 1024;
const compress = promisify(gzip);

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  result: ApiResponse,
  at: number,
): Promise<void> {
  const plain = typeof result.body === "string";
  const content = plain ? String(result.body) : JSON.stringify(result.body);
  const zipped = content.length > COMPRESS_FROM && request.headers["accept-encoding"]?.includes("gzip") === true;
  response.writeHead(result.status, {
    "content-type": plain ? "text/plain" : "application/json",
    date: new Date(at).toUTCString(),
    ...(zipped ? { "content-encoding": "gzip" } : {}),
    ...(result.retryAfterSeconds === undefined ? {} : { "retry-after": String(result.retryAfterSeconds) }),
  });
  response.end(zipped ? await compress(content, { level: 1 }) : content);
}
