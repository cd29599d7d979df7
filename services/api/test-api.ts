import { createHmac } from "node:crypto";

import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { createVirtualClock } from "#fakes/runtime";
import { createLogger, createVitals } from "#libs/runtime";
import { onTestFinished } from "vitest";

import { createApi } from "./service.ts";

const newest = "the-newest-secret";
export const previous = "the-previous-secret";

/** The api over a bus in memory, on a virtual clock, without an address. */
export async function openApi(options: { readonly webhookSecrets?: readonly string[] } = {}) {
  const busServer = createFakeBusServer();
  const clock = createVirtualClock();
  const bus = openFakeBus(busServer);
  const stop = new AbortController();
  const lines: string[] = [];
  const log = createLogger("api", [], "debug", (line) => void lines.push(line));
  const webhookSecrets = options.webhookSecrets ?? [newest, previous];
  const vitals = createVitals(clock);
  const api = await createApi({ bus, clock, log, vitals, branch: "main", webhookSecrets }, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await api.server.close();
  });
  const hints = () => busServer.messages.filter(({ subject }) => subject === "meshroll.v1.hint.v1.github");
  return { ...api, busServer, bus, clock, lines, hints, vitals };
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
export async function deliver({ server }: Opened, { body = push, headers = {} }: Sent) {
  const given = { "content-type": "application/json", "x-github-event": "push", "x-hub-signature-256": sign(body) };
  return server.inject({ method: "POST", url: "/webhooks/github", payload: body, headers: { ...given, ...headers } });
}

export const push = JSON.stringify({ ref: "refs/heads/main", head_commit: { message: "Zoë 🚀" } });
