import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { createEvictingSet } from "./evict-oldest.ts";

/**
 * Limits connections that wait for a request or its body: a new one is always accepted, and the oldest is closed. A connection
 * that is being answered is not closed.
 */
export function boundWaiting(server: Server, mostWaiting: number): void {
  const waiting = createEvictingSet<Socket>(
    { mostMembers: mostWaiting, mostWeight: Number.POSITIVE_INFINITY },
    (socket) => socket.destroy(),
  );
  server.on("connection", (socket) => {
    waiting.add(socket, 0);
    socket.once("close", () => waiting.delete(socket));
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const hasBody = "content-length" in request.headers || "transfer-encoding" in request.headers;
    if (hasBody) request.once("end", () => waiting.delete(socket));
    else waiting.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) waiting.add(socket, 0);
    });
  });
}

/** Counts an answer until its caller has taken it. */
export type KeepUntaken = (response: ServerResponse, bytes: number) => void;

/** Limits the number and bytes of answers that callers do not take; the oldest are dropped for newer ones. */
export function boundUntaken(limits: { readonly mostMembers: number; readonly mostWeight: number }): KeepUntaken {
  const untaken = createEvictingSet<ServerResponse>(limits, (response) => response.destroy());
  return (response, bytes) => {
    if (response.closed) return;
    response.once("close", () => untaken.delete(response));
    untaken.add(response, bytes);
  };
}
