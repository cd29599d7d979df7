import { type ApiAnswer, ServerSilent, ServerUnreachable } from "../requests/api-call.ts";
import type { ApiObject } from "../api-types.ts";
import type { Sink } from "../store/collection.ts";
import type { Connection } from "../requests/connection.ts";
import { LineTooLong, readLines } from "./lines.ts";
import { describeUnreachable, describeUnread, type ReflectorFault, toFault } from "./reflector-fault.ts";
import type { WatchedResource } from "./watched-resources.ts";
import { checkObject } from "../objects/check-object.ts";

export interface WatchOptions {
  readonly connection: Connection;
  readonly resource: WatchedResource;
  readonly sink: Sink;
  readonly signal: AbortSignal;
  /** Called with each resourceVersion that the watch reached. */
  readonly observe: (resourceVersion: string) => void;
  /** Called when the server accepted the watch. */
  readonly onOpen: () => void;
  /** Called for every group of lines, bookmarks included. */
  readonly onLines: () => void;
  /** The server ends the watch after this time. */
  readonly watchSeconds: number;
  /** Bookmarks come about once a minute: without a byte for this long the connection is dead, real ms. */
  readonly idleMs: number;
}

/** How far the watch came, and why it ended; no fault: the server ended it in time. */
export interface WatchResult {
  readonly version: string;
  /** How many lines came, bookmarks included. */
  readonly lines: number;
  readonly fault?: ReflectorFault;
}

interface WatchLine {
  readonly type?: string;
  readonly object?: ApiObject & { readonly code?: number };
}

/** Follows the collection from `version` until the stream ends. */
export async function watchFrom(options: WatchOptions, version: string): Promise<WatchResult> {
  const { connection, resource, signal } = options;
  const query = new URLSearchParams({
    watch: "true",
    allowWatchBookmarks: "true",
    resourceVersion: version,
    timeoutSeconds: String(options.watchSeconds),
  });
  let reached = version;
  let lines = 0;
  try {
    const stream = await connection.open(`${resource.path}?${query.toString()}`, options.idleMs, signal);
    if ("status" in stream) return { version, lines, fault: toFault(resource.name, stream) };
    options.onOpen();
    for await (const some of readLines(stream)) {
      options.onLines();
      for (const line of some) {
        const next = applyLine(options, line);
        if (typeof next !== "string") return { version: reached, lines, fault: next };
        reached = next;
        lines++;
        options.observe(reached);
      }
    }
    return { version: reached, lines };
  } catch (error) {
    if (error instanceof LineTooLong) {
      return { version: reached, lines, fault: describeUnread(resource.name, error) };
    }
    if (!(error instanceof ServerUnreachable)) throw error;
    const fault = describeUnreachable(resource.name, error);
    const isSilent = error.cause instanceof ServerSilent;
    return { version: reached, lines, fault: isSilent ? { ...fault, kind: "silent" } : fault };
  }
}

/** The resourceVersion of the line, or the fault in it. */
function applyLine({ resource, sink }: WatchOptions, line: string): string | ReflectorFault {
  const { type = "", object } = parseLine(line);
  if (type === "ERROR" && object !== undefined) return toFault(resource.name, toAnswer(object));
  const version = object?.metadata?.resourceVersion;
  if (version === undefined) return refuse(resource, line);
  try {
    return applyEvent(sink, type, checkObject(object)) ? version : refuse(resource, line);
  } catch (error) {
    return describeUnread(resource.name, error);
  }
}

/** False for an unknown type of event. */
function applyEvent(sink: Sink, type: string, object: ApiObject): boolean {
  switch (type) {
    case "ADDED":
    case "MODIFIED":
      sink.upsert(object);
      return true;
    case "DELETED":
      sink.remove(object);
      return true;
    default:
      return type === "BOOKMARK";
  }
}

function parseLine(line: string): WatchLine {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    // Without an object the line cannot be processed: the caller lists the collection again.
    return {};
  }
}

function toAnswer(status: { readonly code?: number }): ApiAnswer {
  return { status: status.code ?? 500, body: status };
}

function refuse({ name }: WatchedResource, line: string): ReflectorFault {
  return { resource: name, kind: "badLine", why: `a line of the watch cannot be read: ${line.slice(0, 80)}` };
}
