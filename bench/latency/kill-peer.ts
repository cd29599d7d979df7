import { Worker } from "bullmq";

// A worker as BullMQ's documentation has it: lock 30 s, stalled check every 30 s, renewed every 15 s. It "patches" every
// 20 ms for as long as it holds the job, and tells its parent.
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
