import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Registers what a test does when it is over. */
type WhenOver = (end: () => void) => void;

/** Starts an HTTP server on this machine and closes it when the test is over; answers its address. */
export async function serveUntil(whenOver: WhenOver, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  whenOver(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
