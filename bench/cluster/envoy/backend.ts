import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

// The container of a played pod: an HTTP server that serves a second after its start, and takes some ms for each answer. On SIGTERM it
// takes no new connection, finishes what it has begun, and ends.

const warmUpMs = 1_000;
const workMs = 15;

const server = createServer((_request, response) => {
  setTimeout(() => response.end("ok"), workMs);
});
server.keepAliveTimeout = 0;
process.once("SIGTERM", () => server.close(() => process.exit(0)));
// A bench that is killed leaves none behind.
process.on("disconnect", () => process.exit(0));
await sleep(warmUpMs);
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
