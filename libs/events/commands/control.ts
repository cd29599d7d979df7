import { formatVersion } from "#libs/input";
import type { VerbRequest } from "#libs/plan";
import { z } from "zod";

import { commitId, instant, line, ownVersion, readJson, recordId, requestId, stopScope, word } from "../forms.ts";

/** KV `control`, key `state`: written by the leading planner every 2 s; `beat` differs each time (rules 7.2). */
const controlState = z.object({
  version: ownVersion,
  ledger: commitId.optional(),
  main: commitId,
  seeded: z.boolean(),
  beat: word(200),
  /** Why the planner does not use the newest ledger; nothing moves forward meanwhile. */
  ledgerDoubt: word(60).optional(),
  /** The planner process that wrote it: when it changes, executors publish at once. */
  writer: word(200),
});
export type ControlState = z.infer<typeof controlState>;

/** KV `control`, key `request.<id>`: an open request. */
const request = z.strictObject({
  version: ownVersion,
  id: requestId,
  verb: z.enum(["stop", "resume", "retry", "rollback", "converge"]),
  scope: stopScope,
  strength: z.enum(["propose", "move"]),
  who: line(100),
  verified: z.literal(true).exactOptional(),
  why: line(500),
  at: instant,
  until: instant.exactOptional(),
  stops: z.array(recordId).max(1000).exactOptional(),
  workloads: z.array(word(400)).max(10_000).exactOptional(),
  revertTo: commitId.exactOptional(),
  now: z.literal(true).exactOptional(),
});

const mostState = 4096;
/** A retry may name thousands of workloads. */
const mostAsk = 512 * 1024;

export function printControlState(state: ControlState): string {
  return JSON.stringify(state);
}

/** Undefined for anything that is not ours: control is unknown then, and no workload moves. */
export function readControlState(text: string): ControlState | undefined {
  const read = readJson(controlState, text, mostState);
  return read.ok ? read.value : undefined;
}

const requestPrefix = "request.";

/** The key of a request. */
export function nameRequestKey(id: string): string {
  return `${requestPrefix}${id}`;
}

export function printRequest(value: VerbRequest): string {
  return JSON.stringify({ version: formatVersion, ...value });
}

/** The value of a key `request.*`; `why` is a sentence for the person who requested it. */
export type ReadRequest =
  | { readonly ok: true; readonly request: VerbRequest }
  | { readonly ok: false; readonly why: string };

/**
 * Reads a request. Its id must match its key, so that each id has one request, and its answer reaches the caller that waits for
 * it.
 */
export function readRequest(key: string, text: string): ReadRequest {
  const read = readJson(request, text, mostAsk);
  if (!read.ok) return read;
  const { version: _, ...value } = read.value;
  return nameRequestKey(value.id) === key
    ? { ok: true, request: value }
    : { ok: false, why: "its key names another id" };
}
