import { systemClock } from "#libs/runtime";

import { readMessage } from "../errors.ts";
import type { FakeMessage, FakeState, FakeWork } from "./fake-server.ts";
import { matchesSubject, streamSubjects } from "../names.ts";
import type { Delivery, WorkOutcome } from "../port.ts";

const clock = systemClock();

/** Real ms after which a message whose handler threw is given out again. */
const afterThrowMs = 50;

/** Which messages a worker handles, under which name. */
export interface FakeJob {
  readonly installation: string;
  readonly name: string;
  readonly pattern: string;
  readonly handle: Handle;
}

type Handle = (delivery: Delivery) => Promise<WorkOutcome>;

/** Stores a message in the stream and wakes its consumers. */
export function storeMessage(state: FakeState, message: FakeMessage): void {
  if (!matchesSubject(streamSubjects, message.subject)) return;
  state.messages.push(message);
  state.takenAt.set(message, clock.monotonic() + state.passedMs);
  wakeAll(state);
}

function wakeAll(state: FakeState): void {
  state.changes += 1;
  for (const wake of state.workers) wake();
}

function findWork(state: FakeState, { installation, name }: FakeJob): FakeWork {
  const key = `${installation}/${name}`;
  const found = state.work.get(key) ?? { next: 0, hand: undefined, tries: 0, holder: undefined, last: undefined };
  state.work.set(key, found);
  return found;
}

/** The next message: the one that was given back, else the next of the pattern. */
function takeNext(state: FakeState, work: FakeWork, { installation, pattern }: FakeJob): FakeMessage | undefined {
  if (work.hand !== undefined) return work.hand;
  for (; work.next < state.messages.length; work.next += 1) {
    const message = state.messages[work.next];
    if (message?.installation !== installation || !matchesSubject(pattern, message.subject)) continue;
    work.hand = message;
    work.tries = 0;
    work.next += 1;
    return message;
  }
  return undefined;
}

/** Resolves at the first change after number `since`, also when it happened before this call. */
async function waitForChange(state: FakeState, since: number, end: AbortSignal): Promise<void> {
  if (end.aborted || state.changes !== since) return;
  await new Promise<void>((resolve) => {
    const wake = () => {
      state.workers.delete(wake);
      end.removeEventListener("abort", wake);
      resolve();
    };
    state.workers.add(wake);
    end.addEventListener("abort", wake, { once: true });
  });
}

/** Gives the message to its handler; a handler that throws counts as one that asks for it again. */
async function handOver(state: FakeState, work: FakeWork, message: FakeMessage, me: object, handle: Handle) {
  const takenAt = state.takenAt.get(message) ?? 0;
  const delivery: Delivery = {
    subject: message.subject,
    body: message.body,
    ageMs: clock.monotonic() + state.passedMs - takenAt,
    tries: work.tries,
    isMine: work.tries === 1 && work.last === me,
    isHeld: () => work.holder === me,
  };
  work.last = me;
  try {
    return await handle(delivery);
  } catch (error) {
    state.faults.push(readMessage(error));
    return { againAfterMs: afterThrowMs };
  }
}

/** Handles one message; false: none was there. */
async function takeOne(state: FakeState, job: FakeJob, me: object, killed: AbortSignal): Promise<boolean> {
  const work = findWork(state, job);
  const message = state.isUp && work.holder === undefined ? takeNext(state, work, job) : undefined;
  if (message === undefined) return false;
  work.holder = me;
  work.tries += 1;
  const release = () => {
    if (work.holder === me) work.holder = undefined;
    wakeAll(state);
  };
  // A killed process cannot acknowledge its message any more.
  killed.addEventListener("abort", release, { once: true });
  const outcome = await handOver(state, work, message, me, job.handle);
  // Not acknowledged where the server was wiped or cut off meanwhile.
  if (state.isUp && work.holder === me && findWork(state, job) === work) {
    if (outcome === "done") work.hand = undefined;
    else await clock.sleepReal(outcome.againAfterMs, killed).catch(() => undefined);
  }
  killed.removeEventListener("abort", release);
  release();
  return true;
}

/** Handles messages of a name until `signal` aborts or its client is closed. */
export async function workInMemory(
  state: FakeState,
  job: FakeJob,
  signal: AbortSignal,
  killed: AbortSignal,
): Promise<void> {
  const me = {};
  const end = AbortSignal.any([signal, killed]);
  while (!end.aborted) {
    const since = state.changes;
    if (!(await takeOne(state, job, me, killed))) await waitForChange(state, since, end);
  }
}
