import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Direction = "toServer" | "toClient";

/** A proxy to a server that can hold all bytes for a while. Connections stay open, as in a network partition. */
export interface CutWire {
  /** `host:port` */
  readonly host: string;
  /** Holds all bytes of these directions until the returned function is called. */
  cut(directions: readonly Direction[]): () => void;
  close(): Promise<void>;
}

/** Starts a proxy that forwards to the server at `target`. */
export async function startCutWire(target: string): Promise<CutWire> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const held = new Set<Direction>();
  const sources: Readonly<Record<Direction, Set<Socket>>> = { toServer: new Set(), toClient: new Set() };

  function join(from: Socket, to: Socket, direction: Direction): void {
    sockets.add(from);
    sources[direction].add(from);
    from.on("data", (data) => to.write(data));
    from.on("error", () => undefined);
    from.on("close", () => {
      sockets.delete(from);
      sources[direction].delete(from);
      to.destroy();
    });
    if (held.has(direction)) from.pause();
  }

  const listener = createServer((client) => {
    const server = connect({ host: hostname, port: Number(port) });
    join(client, server, "toServer");
    join(server, client, "toClient");
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    host: `127.0.0.1:${(listener.address() as AddressInfo).port}`,
    cut(directions) {
      for (const direction of directions) {
        held.add(direction);
        for (const socket of sources[direction]) socket.pause();
      }
      return () => {
        held.clear();
        for (const direction of directions) for (const socket of sources[direction]) socket.resume();
      };
    },
    close: async () => {
      const closed = once(listener, "close");
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
