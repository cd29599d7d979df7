import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";

import { createLogger } from "#libs/runtime";
import { expect, it, onTestFinished } from "vitest";

import { createHttpServer } from "./http/create-http-server.ts";

it("answers that callers do not read are dropped above 64 MiB, the oldest first", async () => {
  const body = "y".repeat(8_000_000);
  const log = createLogger("api", [], "fatal", () => undefined);
  const handle = () => ({ status: 200, type: "text/plain", body });
  const server = createHttpServer({ log, routes: [{ method: "GET", path: "/", handle }], onAnswer: () => undefined });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  let open = 0;
  server.on("connection", (socket) => {
    open += 1;
    socket.once("close", () => (open -= 1));
  });
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    const asked = once(server, "request");
    socket.pause().write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await asked;
  }
  await expect.poll(() => open).toBe(8);
});
