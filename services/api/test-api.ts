import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request as startRequest } from "node:http";

import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { createLogger, createVitals } from "#libs/runtime";
import { onTestFinished } from "vitest";

import { type ApiOptions, createApi } from "./service.ts";

const newest = "the-newest-secret";
export const previous = "the-previous-secret";

interface Requested {
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
}

/** Asks over real HTTP, with the path byte for byte as it is given. */
async function ask(base: string, { method = "GET", url, headers = {}, payload }: Requested) {
  const request = startRequest(base, { method, path: url, headers, agent: false });
  const answered = once(request, "response") as Promise<[IncomingMessage]>;
  // A server that refuses a body early closes the connection while the rest is still being sent.
  request.on("error", () => undefined);
  request.end(payload);
  const [response] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  return {
    statusCode: response.statusCode ?? 0,
    headers: response.headers,
    body,
    json: () => JSON.parse(body) as Readonly<Record<string, unknown>>,
  };
}

/** The api over a bus in memory, on a virtual clock, at a free port of this machine. */
export async function openApi(
  options: Partial<Pick<ApiOptions, "webhookSecrets" | "page" | "names" | "vmKeys" | "branch">> = {},
) {
  const busServer = createFakeBusServer();
  const clock = createVirtualClock();
  const bus = openFakeBus(busServer);
  const stop = new AbortController();
  const lines: string[] = [];
  const log = createLogger("api", [], "debug", (line) => void lines.push(line));
  const webhookSecrets = options.webhookSecrets ?? [newest, previous];
  const vitals = createVitals(clock);
  const api = await createApi({ bus, clock, log, vitals, branch: "main", ...options, webhookSecrets }, stop.signal);
  const url = await api.server.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    stop.abort();
    await api.server.close();
  });
  const hints = () => busServer.messages.filter(({ subject }) => subject === "meshroll.v1.hint.v1.github");
  const inject = async (asked: Requested | string) => ask(url, typeof asked === "string" ? { url: asked } : asked);
  return { ...api, url, inject, busServer, bus, clock, lines, hints, vitals };
}

export type Opened = Awaited<ReturnType<typeof openApi>>;

export function sign(body: string | Buffer, key = newest): string {
  return `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
}

interface Sent {
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What GitHub sends; by default a push to main, signed by the newest secret. */
export async function deliver({ inject }: Opened, { body = push, headers = {} }: Sent) {
  const given = { "content-type": "application/json", "x-github-event": "push", "x-hub-signature-256": sign(body) };
  return inject({ method: "POST", url: "/webhooks/github", payload: body, headers: { ...given, ...headers } });
}

export const push = JSON.stringify({ ref: "refs/heads/main", head_commit: { message: "Zoë 🚀" } });
