import type { ServerResponse } from "node:http";

import type { Route } from "../http/answer.ts";
import type { ServerParts } from "./server-parts.ts";
import type { EventSink } from "../events/event-hub.ts";

function createSink(response: ServerResponse): EventSink {
  return {
    address: response.socket?.remoteAddress ?? "",
    write: (text) => void response.write(text),
    pending: () => response.writableLength,
    end(how) {
      if (how === "gently") response.end();
      else response.destroy();
    },
  };
}

/** Begins an answer that has no end. */
function startStream(response: ServerResponse): void {
  // Proxies that gather answers would keep events to themselves.
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
  response.flushHeaders();
}

/**
 * `/v1/events`: server-sent events: `status` when the fleet's status says something new, and every message of the stream.
 * A reader that names the last event it saw (`Last-Event-ID`) goes on from there, or is told of the `gap`.
 */
export function createEventsRoute({ hub }: ServerParts): Route {
  return {
    method: "GET",
    path: "/v1/events",
    handle(call) {
      const { request, response } = call;
      startStream(response);
      const sink = createSink(response);
      response.on("close", () => hub.leave(sink));
      const lastId = request.headers["last-event-id"];
      hub.join(sink, typeof lastId === "string" && lastId !== "" ? lastId : undefined);
      return "streaming";
    },
  };
}
