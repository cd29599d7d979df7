import { QueueUnavailable } from "./errors.ts";
import { type FakeQueueServer, lookInside } from "./fake-server.ts";
import { startFakeWorker } from "./fake-worker.ts";
import { nameQueue } from "./names.ts";
import type { BatchQueue, ServeBatches } from "./port.ts";

export { createFakeQueueServer, type FakeQueueServer } from "./fake-server.ts";

/** A producer for a queue in memory. */
export function openFakeQueue<Job>(server: FakeQueueServer): BatchQueue<Job> {
  const state = lookInside(server);
  let isClosed = false;

  function find(cluster: string) {
    nameQueue(cluster);
    if (!state.isUp || isClosed) throw new QueueUnavailable("the queue in memory does not answer");
    return state.entries.get(cluster);
  }

  return {
    async put(cluster, job) {
      if (find(cluster) !== undefined) return "present";
      if (state.isFull) throw new QueueUnavailable("the queue in memory is full", { code: "QueueFull" });
      // As JSON would carry it: nobody shares an object with the other side.
      state.entries.set(cluster, { job: structuredClone(job), state: "waiting", token: undefined, lockedUntil: 0 });
      queueMicrotask(() => state.poke(cluster));
      return "added";
    },
    async look(cluster) {
      const entry = find(cluster);
      if (entry === undefined) return undefined;
      const job = structuredClone(entry.job) as Job;
      return entry.reason === undefined
        ? { job, state: entry.state }
        : { job, state: entry.state, reason: entry.reason };
    },
    async drop(cluster) {
      const entry = find(cluster);
      if (entry?.state === "active") return false;
      state.entries.delete(cluster);
      return true;
    },
    async close() {
      isClosed = true;
    },
  };
}

/** Workers for a queue in memory. */
export function serveFakeBatches<Job>(server: FakeQueueServer): ServeBatches<Job> {
  const state = lookInside(server);
  return (cluster, handle) => {
    nameQueue(cluster);
    return startFakeWorker(state, cluster, async (held) => handle({ ...held, job: held.job as Job }));
  };
}
