import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { createPlantedSeries, type PlantedSeries } from "./planted-series.ts";

/** What goes wrong with every query until the fault is removed. */
export type PrometheusFault =
  /** Answers this status with an HTML page. */
  | { readonly kind: "status"; readonly status: number }
  /** Cuts the connection. */
  | { readonly kind: "reset" }
  /** Never answers. */
  | { readonly kind: "hang" }
  /** Begins to answer and never ends. */
  | { readonly kind: "stall" }
  /** Sends a body without an end. */
  | { readonly kind: "flood" }
  | { readonly kind: "redirect"; readonly to: string }
  /** Prometheus' own `errorType`: `timeout`, `canceled`, `internal`, … */
  | { readonly kind: "error"; readonly status: number; readonly errorType: string }
  /** Any body, with status 200. */
  | { readonly kind: "body"; readonly text: string };

/** One query that was received. */
export interface PrometheusCall {
  readonly query: string;
  /** Epoch ms. */
  readonly at: number;
  readonly authorization: string | undefined;
}

export interface PrometheusOptions {
  /** On 127.0.0.1. Default: a free port. */
  readonly port?: number;
  /** Without it no token is required. */
  readonly token?: string;
}

/** A Prometheus on this machine that answers planted series, by query and time. */
export interface PrometheusStandIn extends Pick<PlantedSeries, "plant" | "plantScalar" | "refuse"> {
  /** Value for `MESHROLL_PROMETHEUS_URL`. */
  readonly url: string;
  /** The last 10,000 queries, oldest first. */
  readonly calls: readonly PrometheusCall[];
  /** Undefined removes the fault. */
  setFault(fault: PrometheusFault | undefined): void;
  close(): Promise<void>;
}

const mostCalls = 10_000;

async function readParams(request: IncomingMessage): Promise<URLSearchParams> {
  if (request.method === "GET") return new URL(request.url ?? "/", "http://127.0.0.1").searchParams;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new URLSearchParams(Buffer.concat(parts).toString());
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, errorType: string, error: string): void {
  send(response, status, { status: "error", errorType, error });
}

/** Writes until the connection is closed. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const part = Buffer.alloc(64 * 1024, " ");
  const write = (): void => {
    while (!response.destroyed && response.write(part));
  };
  response.on("drain", write);
  write();
}

function breakAnswer(response: ServerResponse, fault: PrometheusFault): void {
  switch (fault.kind) {
    case "status":
      response.writeHead(fault.status, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
      return;
    case "reset":
      response.destroy();
      return;
    case "hang":
      return;
    case "stall":
      response.writeHead(200, { "content-type": "application/json" }).write('{"status":');
      return;
    case "flood":
      flood(response);
      return;
    case "redirect":
      response.writeHead(302, { location: fault.to }).end();
      return;
    case "error":
      sendError(response, fault.status, fault.errorType, `it is about ${fault.errorType}`);
      return;
    case "body":
      response.writeHead(200, { "content-type": "application/json" }).end(fault.text);
      return;
  }
}

/** Starts the stand-in. */
export async function startPrometheus({ port = 0, token }: PrometheusOptions = {}): Promise<PrometheusStandIn> {
  const series = createPlantedSeries();
  const calls: PrometheusCall[] = [];
  let fault: PrometheusFault | undefined;

  function answer(response: ServerResponse, call: PrometheusCall): void {
    if (fault !== undefined) breakAnswer(response, fault);
    else if (token !== undefined && call.authorization !== `Bearer ${token}`)
      response.writeHead(401).end("Unauthorized");
    else if (call.query === "" || !Number.isFinite(call.at))
      sendError(response, 400, "bad_data", "invalid parameter: query and time are needed");
    else {
      const { status, body } = series.answer(call.query, call.at);
      send(response, status, body);
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    if (path !== "/api/v1/query" || !["GET", "POST"].includes(request.method ?? ""))
      return void response.writeHead(404).end("404 page not found");
    const params = await readParams(request);
    const time = Number(params.get("time") ?? Number.NaN) * 1000;
    const call = {
      query: params.get("query") ?? "",
      at: Math.round(time),
      authorization: request.headers.authorization,
    };
    calls.push(call);
    if (calls.length > mostCalls) calls.shift();
    answer(response, call);
  }

  const server = createServer((request, response) => {
    // The client closed the connection, which it notices itself.
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    ...series,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    setFault: (next) => void (fault = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
