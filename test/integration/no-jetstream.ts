import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

import { onTestFinished } from "vitest";

/** The address of a server that speaks as NATS started without JetStream does, until the test ends. */
export async function startWithoutJetStream(): Promise<string> {
  const info = { server_id: "x", version: "2.10.0", max_payload: 1 << 20, proto: 1, headers: true };
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on("data", (data) => data.includes("PING") && socket.write("PONG\r\n"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
