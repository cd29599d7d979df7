import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A way to an API server on which one request can be late. */
export interface SlowWire {
  readonly url: string;
  /** Resolves when the n-th PATCH of a workload is on its way and stuck; the answer lets it arrive. */
  holdPatch(nth: number): Promise<() => void>;
  close(): Promise<void>;
}

function forward(target: URL, incoming: IncomingMessage, response: ServerResponse): void {
  const { method = "GET", url = "/", headers } = incoming;
  const { hostname, port } = target;
  const outgoing = request({ hostname, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    // A watch's head must come before its first event.
    response.flushHeaders();
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  outgoing.on("error", () => response.destroy());
  response.on("close", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

/** Passes everything on to the API server at `target`. */
export async function startSlowWire(target: string): Promise<SlowWire> {
  const to = new URL(target);
  let patches = 0;
  let awaited: { readonly nth: number; readonly onHeld: (release: () => void) => void } | undefined;
  const server = createServer((incoming, response) => {
    const isPatch = incoming.method === "PATCH" && incoming.url?.includes("/deployments/") === true;
    if (isPatch) patches += 1;
    if (!isPatch || patches !== awaited?.nth) return forward(to, incoming, response);
    awaited.onHeld(() => forward(to, incoming, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdPatch: async (nth) =>
      new Promise((resolve) => {
        awaited = { nth, onHeld: resolve };
      }),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
