import type { ServerResponse } from "node:http";

import type { FastifyInstance, FastifyReply } from "fastify";

import { sendError } from "../answer-errors.ts";
import type { ServerParts } from "../server-parts.ts";
import type { EventSink } from "../event-hub.ts";

function createSink(response: ServerResponse): EventSink {
  return {
    write: (text) => void response.write(text),
    pending: () => response.writableLength,
    end(how) {
      if (how === "gently") response.end();
      else response.destroy();
    },
  };
}

/** Takes the connection over from the framework, which would end it after one answer. */
function startStream(reply: FastifyReply): ServerResponse {
  const { raw } = reply.hijack();
  // Proxies that gather answers would keep events to themselves.
  const own = { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...own });
  return raw;
}

/**
 * `/v1/events`: server-sent events: `status` when the fleet's status says something new, and every message of the stream.
 * A reader that names the last event it saw (`Last-Event-ID`) goes on from there, or is told of the `gap`.
 */
export function addEventsRoute(app: FastifyInstance, { hub }: ServerParts): void {
  app.get("/v1/events", async (request, reply) => {
    if (hub.isFull()) {
      void reply.header("retry-after", "10");
      return sendError(request, reply, 503, "TooManyReaders", "as many readers are served as this process serves");
    }
    const raw = startStream(reply);
    const sink = createSink(raw);
    raw.on("close", () => hub.leave(sink));
    // A reader that is gone is no fault of ours.
    raw.on("error", () => hub.leave(sink));
    const lastId = request.headers["last-event-id"];
    hub.join(sink, typeof lastId === "string" && lastId !== "" ? lastId : undefined);
    return reply;
  });
}
