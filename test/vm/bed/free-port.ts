import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";

/** Free loopback ports. All are bound before the first is closed, so that they differ. */
export async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = [];
  for (let index = 0; index < count; index += 1) {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) {
    server.close();
    await once(server, "close");
  }
  return ports;
}
