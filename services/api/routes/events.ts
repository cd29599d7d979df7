import type { ServerResponse } from "node:http";

import type { Route } from "../http/answer.ts";
import { takesGzip } from "../http/pack-answer.ts";
import { createPackedStream, createPiecePacker } from "../http/pack-stream.ts";
import type { ServerParts } from "./server-parts.ts";
import type { EventSink } from "../events/event-hub.ts";

interface Way {
  write(text: string): void;
  end(): void;
}

function writePlain(response: ServerResponse): Way {
  return { write: (text) => void response.write(text), end: () => void response.end() };
}

function writePacked(response: ServerResponse, pack: (text: string) => Buffer): Way {
  const stream = createPackedStream();
  response.write(stream.head);
  return {
    write(text) {
      stream.count(text);
      response.write(pack(text));
    },
    end: () => void response.end(stream.end()),
  };
}

function createSink(response: ServerResponse, query: URLSearchParams, way: Way): EventSink {
  const wanted = query.getAll("with");
  return {
    wantsPulse: wanted.includes("pulse"),
    wantsPatches: wanted.includes("patches"),
    wantsMessages: !query.getAll("without").includes("messages"),
    address: response.socket?.remoteAddress ?? "",
    write: (text) => way.write(text),
    pending: () => response.writableLength,
    end(how) {
      if (how === "gently") way.end();
      else response.destroy();
    },
  };
}

/** Begins an answer without an end. */
function startStream(response: ServerResponse, isPacked: boolean): void {
  // Without these headers proxies would buffer the events.
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "x-accel-buffering": "no",
    vary: "accept-encoding",
  };
  response.writeHead(200, isPacked ? { ...headers, "content-encoding": "gzip" } : headers);
  response.flushHeaders();
}

/**
 * `/v1/events`: server-sent events: `status` whenever the fleet's status changes, and every message of the stream. A reader
 * with `Last-Event-ID` continues from that event, or gets a `gap`.
 */
export function createEventsRoute({ hub }: ServerParts): Route {
  const pack = createPiecePacker();
  return {
    method: "GET",
    path: "/v1/events",
    handle(call) {
      const { request, response } = call;
      const isPacked = takesGzip(call);
      startStream(response, isPacked);
      const sink = createSink(response, call.query, isPacked ? writePacked(response, pack) : writePlain(response));
      response.on("close", () => hub.leave(sink));
      const lastId = request.headers["last-event-id"];
      hub.join(sink, typeof lastId === "string" && lastId !== "" ? lastId : undefined);
      return "streaming";
    },
  };
}
