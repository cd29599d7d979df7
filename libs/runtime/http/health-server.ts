import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { ConfigProblems } from "../config/config-problems.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Pulse } from "./pulse.ts";
import { boundUntaken, boundWaiting } from "./bound-connections.ts";

export interface HealthServerOptions {
  readonly metrics: Metrics;
  readonly pulse: Pulse;
  readonly silences: ReadonlySet<() => string | undefined>;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Why the process is not ready, or undefined. */
  readonly findObstacle: () => string | undefined;
}

export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

function say(status: number, text: string): Answer {
  return { status, type: "text/plain; charset=utf-8", text: `${text}\n` };
}

function sayHealth({ pulse, silences }: HealthServerOptions): Answer {
  const outside = [...silences]
    .flatMap((find) => find() ?? [])
    .map((text) => `${text}; no restart of this process helps`);
  if (pulse.isAlive()) return say(200, ["ok", ...outside].join("\n"));
  return say(503, `the event loop was blocked for ${Math.round(pulse.age())} s: restart this process, nothing is lost`);
}

function sayReady({ findObstacle }: HealthServerOptions): Answer {
  const obstacle = findObstacle();
  return obstacle === undefined ? say(200, "ready") : say(503, obstacle);
}

async function answer(options: HealthServerOptions, method = "", url = ""): Promise<Answer> {
  if (method !== "GET" && method !== "HEAD") return say(405, "only GET and HEAD");
  const path = url.replace(/\?.*$/, "");
  switch (path) {
    case "/healthz":
      return sayHealth(options);
    case "/readyz":
      return sayReady(options);
    case "/metrics":
      return { status: 200, ...(await options.metrics.print()) };
    default:
      return say(404, "there are /healthz, /readyz and /metrics");
  }
}

/** Real ms within which a request must arrive; the last value is how often that is checked. */
const limits = { headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 } as const;
/** Most connections that wait for their request: a kubelet and a few scrapers connect. */
const mostWaiting = 64;
/** Most answers, and bytes of them, that callers have not taken. The metrics are the largest answer. */
const mostUntaken = { mostMembers: 64, mostWeight: 32 * 1024 * 1024 } as const;

function send(response: ServerResponse, { status, type, text }: Answer): void {
  const headers = { "content-type": type, "cache-control": "no-store", "x-content-type-options": "nosniff" };
  response.writeHead(status, headers).end(text);
}

/** Throws `ConfigProblems` when the address is not available: the port is in use, or it is no address of this machine. */
async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigProblems([{ name: "MESHROLL_HEALTH_PORT", message: `cannot be served: ${why}` }]);
  }
}

/** A small HTTP server next to the loop of a process. It only reads what the loop recorded. */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const keepUntaken = boundUntaken(mostUntaken);
  const server = createServer(limits, (request, response) => {
    response.on("error", () => response.destroy());
    const reply = (given: Answer): void => {
      send(response, given);
      keepUntaken(response, Buffer.byteLength(given.text));
    };
    answer(options, request.method, request.url).then(reply, () => reply(say(500, "the answer could not be made")));
  });
  boundWaiting(server, mostWaiting);
  await listen(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    async close() {
      server.close();
      // An open connection of a scraper must not delay the end.
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
