import { testInstallation } from "#libs/input";
import type { Clock } from "#libs/runtime";

import { lockMs } from "../worker/hold-lock.ts";
import { nameQueue } from "../names.ts";
import type { OpenBatch } from "../port.ts";

/** The one job of a queue. */
export interface FakeEntry {
  readonly job: unknown;
  /** How often a worker has taken it. */
  taken: number;
  state: OpenBatch<unknown>["state"];
  reason?: string;
  /** The lock's owner while the job is active. */
  token: symbol | undefined;
  /** Real ms by the clock; afterwards another worker may take it. */
  lockedUntil: number;
}

export interface FakeWorker {
  readonly queue: string;
  isAlive: boolean;
  isCutOff: boolean;
  isBusy: boolean;
  take(entry: FakeEntry): void;
  die(): void;
}

/** The server's state, for clients in this folder. */
export interface FakeState {
  readonly clock: Clock;
  isUp: boolean;
  isFull: boolean;
  /** By name of the queue. */
  readonly entries: Map<string, FakeEntry>;
  readonly workers: Set<FakeWorker>;
  /** Gives a waiting job to an idle worker. */
  poke(queue: string): void;
}

/** A queue server in memory; its methods cause faults. Those for one cluster concern the tests' own installation. */
export interface FakeQueueServer {
  /** Makes it unreachable. */
  disconnect(): void;
  connect(): void;
  /** Makes it refuse new jobs; existing ones can be read. */
  fill(): void;
  makeRoom(): void;
  /** Deletes all jobs. */
  flush(): void;
  /** Kills the processes that serve this cluster; their handlers' signals abort, so that they end in this process too. */
  kill(cluster: string): void;
  /** Their processes go on, but cannot reach the server. */
  cutOff(cluster: string): void;
  /** They can reach it again. */
  reconnect(cluster: string): void;
}

const stalledEveryMs = 2_000;

/** Only clients in this folder may access it. */
const states = new WeakMap<FakeQueueServer, FakeState>();

export function findState(server: FakeQueueServer): FakeState {
  const state = states.get(server);
  if (state === undefined) throw new Error("this server was not made by createFakeQueueServer");
  return state;
}

function canWork(state: FakeState, worker: FakeWorker, queue: string): boolean {
  return state.isUp && worker.queue === queue && worker.isAlive && !worker.isCutOff;
}

/** Takes a job with an expired lock from its worker, as the stalled check of other workers does. */
async function requeueStalled(state: FakeState, queue: string, entry: FakeEntry): Promise<void> {
  const { token } = entry;
  while (state.entries.get(queue) === entry && entry.token === token) {
    await state.clock.sleepReal(stalledEveryMs);
    const isOver = entry.token === token && entry.lockedUntil <= state.clock.monotonic();
    if (!isOver || ![...state.workers].some((worker) => canWork(state, worker, queue))) continue;
    entry.state = "waiting";
    entry.token = undefined;
    state.poke(queue);
  }
}

function createState(clock: Clock): FakeState {
  const state: FakeState = {
    clock,
    isUp: true,
    isFull: false,
    entries: new Map(),
    workers: new Set(),
    poke(queue) {
      const entry = state.entries.get(queue);
      const worker = [...state.workers].find((each) => canWork(state, each, queue) && !each.isBusy);
      if (entry?.state !== "waiting" || worker === undefined) return;
      entry.state = "active";
      entry.taken += 1;
      entry.token = Symbol("lock");
      entry.lockedUntil = clock.monotonic() + lockMs;
      worker.isBusy = true;
      void requeueStalled(state, queue, entry);
      worker.take(entry);
    },
  };
  return state;
}

/** An empty server; locks and stalled checks use the clock's real time, so a virtual clock moves them. */
export function createFakeQueueServer(clock: Clock): FakeQueueServer {
  const state = createState(clock);
  const pokeAll = () => {
    for (const queue of state.entries.keys()) state.poke(queue);
  };
  const nameOwn = (cluster: string) => nameQueue(testInstallation, cluster);
  const workersOf = (cluster: string) => [...state.workers].filter(({ queue }) => queue === nameOwn(cluster));
  const server: FakeQueueServer = {
    disconnect: () => void (state.isUp = false),
    connect() {
      state.isUp = true;
      pokeAll();
    },
    fill: () => void (state.isFull = true),
    makeRoom: () => void (state.isFull = false),
    flush: () => state.entries.clear(),
    kill(cluster) {
      for (const worker of workersOf(cluster)) worker.die();
    },
    cutOff(cluster) {
      for (const worker of workersOf(cluster)) worker.isCutOff = true;
    },
    reconnect(cluster) {
      for (const worker of workersOf(cluster)) worker.isCutOff = false;
      state.poke(nameOwn(cluster));
    },
  };
  states.set(server, state);
  return server;
}
