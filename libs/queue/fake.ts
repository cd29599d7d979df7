import { testInstallation } from "#libs/input";

import { QueueUnavailable } from "./errors.ts";
import { type FakeQueueServer, findState } from "./fake/fake-server.ts";
import { startFakeWorker } from "./fake/fake-worker.ts";
import { nameQueue } from "./names.ts";
import type { BatchQueue, ServeBatches } from "./port.ts";

export { createFakeQueueServer, type FakeQueueServer } from "./fake/fake-server.ts";

/** A producer for a queue in memory, for one installation. */
export function openFakeQueue<Job>(server: FakeQueueServer, installation: string = testInstallation): BatchQueue<Job> {
  const state = findState(server);
  let isClosed = false;

  function find(queue: string) {
    if (!state.isUp || isClosed) throw new QueueUnavailable("the queue in memory does not answer");
    return state.entries.get(queue);
  }

  return {
    async put(cluster, job) {
      const queue = nameQueue(installation, cluster);
      if (find(queue) !== undefined) return "present";
      if (state.isFull) throw new QueueUnavailable("the queue in memory is full", { code: "QueueFull" });
      // Copied, as JSON would be, so that no object is shared with the other side.
      state.entries.set(queue, {
        job: structuredClone(job),
        taken: 0,
        state: "waiting",
        token: undefined,
        lockedUntil: 0,
      });
      queueMicrotask(() => state.poke(queue));
      return "added";
    },
    async inspect(cluster) {
      const entry = find(nameQueue(installation, cluster));
      if (entry === undefined) return undefined;
      const batch = { job: structuredClone(entry.job) as Job, state: entry.state };
      return entry.reason === undefined ? batch : { ...batch, reason: entry.reason };
    },
    async drop(cluster) {
      const queue = nameQueue(installation, cluster);
      if (find(queue)?.state === "active") return false;
      state.entries.delete(queue);
      return true;
    },
    async close() {
      isClosed = true;
    },
  };
}

/** Workers for a queue in memory. */
export function serveFakeBatches<Job>(
  server: FakeQueueServer,
  installation: string = testInstallation,
): ServeBatches<Job> {
  const state = findState(server);
  return (cluster, handle) => {
    return startFakeWorker(state, nameQueue(installation, cluster), async (held) =>
      handle({ ...held, job: held.job as Job }),
    );
  };
}
