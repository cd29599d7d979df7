import type { IncomingMessage, ServerResponse } from "node:http";

import type { Channel } from "./channel.ts";
import type { SlackFaultEffect, SlackFaults } from "./faults.ts";
import { methods } from "./methods.ts";
import type { RateLimit } from "./rate-limit.ts";
import { Refusal } from "./refusal.ts";
import { MissingScope } from "./scopes.ts";

/** One call as it came and was answered. */
export interface SlackCall {
  readonly method: string;
  /** 0 = no answer was sent. */
  readonly status: number;
  /** Slack's word for a refusal. */
  readonly error?: string;
}

export interface Service {
  /** Token -> the scopes that it has. */
  readonly tokens: ReadonlyMap<string, readonly string[]>;
  readonly channels: ReadonlyMap<string, Channel>;
  /** Of channels, by id. */
  readonly names: ReadonlyMap<string, string>;
  readonly faults: SlackFaults;
  readonly rate: RateLimit;
  readonly record: (call: SlackCall) => void;
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> | string;
  readonly retryAfterSeconds?: number;
}

async function readParams(request: IncomingMessage): Promise<ReadonlyMap<string, string>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return new Map(new URLSearchParams(Buffer.concat(parts).toString()));
}

function limited(retryAfterSeconds: number): Answer {
  return { status: 429, body: { ok: false, error: "ratelimited" }, retryAfterSeconds };
}

/** What a fault answers in place of the truth; undefined when the call is carried out. */
function answerInstead(effect: SlackFaultEffect | undefined): Answer | undefined {
  if (effect?.kind === "rateLimited") return limited(effect.retryAfterSeconds);
  if (effect?.kind === "status") return { status: effect.status, body: "<html><title>Slack is down</title></html>" };
  if (effect?.kind === "error") return { status: 200, body: { ok: false, error: effect.error } };
  return undefined;
}

function findScopes(service: Service, request: IncomingMessage): readonly string[] {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) throw new Refusal("not_authed");
  const scopes = service.tokens.get(token);
  if (scopes === undefined) throw new Refusal("invalid_auth");
  return scopes;
}

function carryOut(
  service: Service,
  method: string,
  request: IncomingMessage,
  params: ReadonlyMap<string, string>,
): Answer {
  try {
    const scopes = findScopes(service, request);
    const handle = methods.get(method);
    if (handle === undefined) throw new Refusal("unknown_method");
    const waitSeconds = service.rate.take(method, params.get("channel") ?? "");
    if (waitSeconds !== undefined) return limited(waitSeconds);
    return { status: 200, body: { ok: true, ...handle({ ...service, method, scopes, params, user: "U00000001" }) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const response_metadata = { messages: error.details };
    const needed = error instanceof MissingScope ? { needed: error.needed } : {};
    return { status: 200, body: { ok: false, error: error.message, ...needed, response_metadata } };
  }
}

function send(response: ServerResponse, { status, body, retryAfterSeconds }: Answer): void {
  response.statusCode = status;
  response.setHeader("content-type", typeof body === "string" ? "text/html" : "application/json; charset=utf-8");
  if (retryAfterSeconds !== undefined) response.setHeader("retry-after", String(retryAfterSeconds));
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

function readWord({ body }: Answer): { readonly error?: string } {
  return typeof body !== "string" && typeof body["error"] === "string" ? { error: body["error"] } : {};
}

/** Carries the call out, or what a fault makes of it; undefined = no answer, the connection is cut or hangs. */
function answerCall(
  service: Service,
  method: string,
  request: IncomingMessage,
  params: ReadonlyMap<string, string>,
  effect: SlackFaultEffect | undefined,
): Answer | undefined {
  if (effect?.kind === "hang" || effect?.kind === "reset") return undefined;
  const answer = answerInstead(effect) ?? carryOut(service, method, request, params);
  return effect?.kind === "loseAnswer" ? undefined : answer;
}

/** Serves one request. */
export async function serve(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = new URL(request.url ?? "/", "http://127.0.0.1").pathname.replace(/^\/api\//, "");
  try {
    const params = await readParams(request);
    const effect = service.faults.take(method);
    const answer = answerCall(service, method, request, params, effect);
    service.record({ method, status: answer?.status ?? 0, ...(answer === undefined ? {} : readWord(answer)) });
    if (answer !== undefined) send(response, answer);
    else if (effect?.kind !== "hang") response.destroy();
  } catch {
    // The client left in the middle, or the sandbox has a bug: either way this connection is over, and the caller sees it.
    service.record({ method, status: 0 });
    response.destroy();
  }
}
