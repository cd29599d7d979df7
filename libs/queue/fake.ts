import { QueueUnavailable } from "./errors.ts";
import type { BatchQueue, HeldBatch, OpenBatch, ServeBatches } from "./port.ts";

interface FakeJob {
  readonly data: string;
  state: "waiting" | "active" | "failed";
  reason?: string;
  /** The worker that holds it. */
  holder?: AbortController;
}

type Serve = () => void;

/** The server side of the fake queue: jobs by cluster, shared by any number of producers and workers. */
export interface FakeQueueServer {
  setUp(isUp: boolean): void;
  /** Everything stored is gone; workers in the middle of a job lose their lock. */
  wipe(): void;
  /** The worker that holds the cluster's job stops renewing its lock, as one that was killed; another takes the job. */
  stall(cluster: string): void;
  readonly state: FakeQueueState;
}

interface FakeQueueState {
  isUp: boolean;
  readonly jobs: Map<string, FakeJob>;
  readonly workers: Map<string, Set<Serve>>;
}

function wake(state: FakeQueueState, cluster: string): void {
  for (const serve of state.workers.get(cluster) ?? []) serve();
}

export function createFakeQueueServer(): FakeQueueServer {
  const state: FakeQueueState = { isUp: true, jobs: new Map(), workers: new Map() };
  return {
    state,
    setUp(isUp) {
      state.isUp = isUp;
      if (isUp) for (const cluster of state.jobs.keys()) wake(state, cluster);
    },
    wipe() {
      for (const job of state.jobs.values()) job.holder?.abort();
      state.jobs.clear();
    },
    stall(cluster) {
      const job = state.jobs.get(cluster);
      if (job?.state !== "active") return;
      job.holder?.abort();
      job.state = "waiting";
      wake(state, cluster);
    },
  };
}

/** A producer on the fake server. */
export function openFakeQueue<Job>({ state }: FakeQueueServer): BatchQueue<Job> {
  function requireUp(): void {
    if (!state.isUp) throw new QueueUnavailable("the fake queue is down");
  }
  return {
    async put(cluster, job) {
      requireUp();
      if (state.jobs.has(cluster)) return "present";
      state.jobs.set(cluster, { data: JSON.stringify(job), state: "waiting" });
      wake(state, cluster);
      return "added";
    },
    async look(cluster): Promise<OpenBatch<Job> | undefined> {
      requireUp();
      const job = state.jobs.get(cluster);
      if (job === undefined) return undefined;
      const open = { job: JSON.parse(job.data) as Job, state: job.state };
      return job.reason === undefined ? open : { ...open, reason: job.reason };
    },
    async drop(cluster) {
      requireUp();
      if (state.jobs.get(cluster)?.state === "active") return false;
      return state.jobs.delete(cluster);
    },
    close: async () => undefined,
  };
}

/** Workers on the fake server: one job at a time per cluster. */
export function serveFakeBatches<Job>({ state }: FakeQueueServer): ServeBatches<Job> {
  return (cluster, handle) => {
    let isBusy = false;
    let isClosed = false;
    let current: AbortController | undefined;

    async function work(job: FakeJob, holder: AbortController): Promise<void> {
      const held: HeldBatch<Job> = {
        job: JSON.parse(job.data) as Job,
        signal: holder.signal,
        holdsLock: () =>
          state.isUp && !holder.signal.aborted && state.jobs.get(cluster) === job && job.holder === holder,
      };
      let failure: string | undefined;
      try {
        await handle(held);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
      // A job that was taken from this worker is somebody else's now: its end is not ours to write.
      if (state.jobs.get(cluster) !== job || job.holder !== holder) return;
      if (failure === undefined) state.jobs.delete(cluster);
      else {
        job.state = "failed";
        job.reason = failure;
      }
    }

    function serve(): void {
      const job = state.jobs.get(cluster);
      if (isBusy || isClosed || !state.isUp || job?.state !== "waiting") return;
      const holder = new AbortController();
      job.state = "active";
      job.holder = holder;
      current = holder;
      isBusy = true;
      void work(job, holder).finally(() => {
        isBusy = false;
        serve();
      });
    }

    const workers = state.workers.get(cluster) ?? new Set<Serve>();
    state.workers.set(cluster, workers.add(serve));
    serve();
    return {
      async close() {
        isClosed = true;
        workers.delete(serve);
        const job = state.jobs.get(cluster);
        current?.abort();
        if (job?.state !== "active" || job.holder !== current) return;
        // What a closed worker leaves behind is stalled, and another one takes it.
        job.state = "waiting";
        wake(state, cluster);
      },
    };
  };
}
