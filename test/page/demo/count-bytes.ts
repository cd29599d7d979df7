import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** A way to a server that counts what the server sends, as it is on the wire. */
export interface CountedWay {
  readonly url: string;
  /** Bytes that the server sent so far. */
  bytes(): number;
  close(): Promise<void>;
}

/** Opens a port of this machine that leads to `url`. */
export async function countBytes(url: string): Promise<CountedWay> {
  const { port } = new URL(url);
  let bytes = 0;
  const server = createServer((client) => {
    const there = connect(Number(port), "127.0.0.1");
    there.on("data", (chunk: Buffer) => void (bytes += chunk.length));
    client.pipe(there).pipe(client);
    // Either end may go away: the browser closes, and the api is killed by its tests.
    client.on("error", () => there.destroy());
    there.on("error", () => client.destroy());
  });
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => void sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
