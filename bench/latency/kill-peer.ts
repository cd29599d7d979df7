import { Worker } from "bullmq";

// A worker with BullMQ's default settings: lock of 30 s, renewed every 15 s, stalled check every 30 s. While it holds the
// job, it sends its parent a "patch" every 20 ms.
const [queue = "", url = ""] = process.argv.slice(2);
const { hostname: host, port, username, password } = new URL(url);
const worker = new Worker(
  queue,
  async () => {
    for (;;) {
      process.send?.("patch");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  { connection: { host, port: Number(port), username, password } },
);
worker.on("error", (error) => console.error(`bench: kill: the peer's worker: ${error.message}`));
await worker.waitUntilReady();
process.send?.("ready");
process.on("disconnect", () => process.exit(0));
