import { createServer, request } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A proxy in front of a server, like a load balancer; while the server is down it answers 502. */
export interface Balancer {
  readonly url: string;
  setDown(down: boolean): void;
  /** Requests that were answered with 502. */
  countTurnedAway(): number;
  close(): Promise<void>;
}

export async function startBalancer(target: string): Promise<Balancer> {
  let isDown = false;
  let turnedAway = 0;
  const { hostname, port } = new URL(target);
  const server = createServer((incoming, answer) => {
    if (isDown) {
      turnedAway += 1;
      incoming.resume();
      answer.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
      return;
    }
    const { method, url: path, headers } = incoming;
    const passed = request({ hostname, port, method, path, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    incoming.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setDown: (down) => {
      isDown = down;
    },
    countTurnedAway: () => turnedAway,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
