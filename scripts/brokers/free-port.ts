import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/**
 * Loopback ports that were free when they were asked for; another process can take them before they are used. All are bound
 * before the first is closed, so that they differ.
 */
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

/** One free loopback port. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}
