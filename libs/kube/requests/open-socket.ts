import type { IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";

import type { WebSocket } from "ws";

/** Longest message: a kubelet sends 32 KiB at once. */
const mostBytes = 1024 * 1024;

/**
 * Opens a WebSocket by a request's own options, or answers with the response of a server that opens none. Rejects with the error of the
 * connection.
 */
export async function openSocket(
  url: URL,
  options: Omit<RequestOptions, "method">,
  protocol: string,
  timeoutMs: number,
): Promise<WebSocket | IncomingMessage> {
  // Loaded where it is used: most processes never open one.
  const { WebSocket: Client } = await import("ws");
  const settings = { handshakeTimeout: timeoutMs, perMessageDeflate: false, maxPayload: mostBytes };
  const socket = new Client(url, protocol, { ...options, ...settings });
  return new Promise((resolve, reject) => {
    socket.once("open", () => {
      // What arrives before anyone listens must not be lost.
      socket.pause();
      resolve(socket);
    });
    socket.once("unexpected-response", (_request, response) => resolve(response));
    socket.once("error", reject);
  });
}
