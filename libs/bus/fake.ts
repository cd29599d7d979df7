import { systemClock } from "#libs/runtime";

import { AskFailed, BusUnavailable, readMessage } from "./errors.ts";
import { openFakeBucket } from "./fake-bucket.ts";
import { type FakeBusServer, type FakeListener, type FakeState, lookInside } from "./fake-server.ts";
import { keepMessage, workInMemory } from "./fake-work.ts";
import { checkAskSubject, checkSize, matchesSubject } from "./names.ts";
import type { Bus } from "./port.ts";

export { createFakeBusServer, type FakeBusServer, type FakeMessage, type Fate } from "./fake-server.ts";

const clock = systemClock();

/** To a listener as a network would bring it: never inside of the call that caused it. */
function deliver(
  state: FakeState,
  listener: FakeListener,
  message: { subject: string; id: string; body: string },
): void {
  const take = () => {
    queueMicrotask(() => {
      if (state.isUp && state.listeners.has(listener)) listener.take(message.subject, message.body);
    });
  };
  switch (state.fate(message)) {
    case "lost":
      return;
    case "late":
      state.late.push(take);
      return;
    case "twice":
      take();
      take();
      return;
    case "once":
      take();
  }
}

async function answerOne(state: FakeState, subject: string, body: string): Promise<string> {
  const handle = state.answers.get(subject);
  if (handle === undefined) throw new BusUnavailable(`nobody answers ${subject}`);
  try {
    return await handle(body);
  } catch (error) {
    throw new AskFailed(readMessage(error));
  }
}

/** A client of a bus in memory. */
export function openFakeBus(server: FakeBusServer): Bus {
  const state = lookInside(server);
  const closing = new AbortController();

  function reach(): void {
    if (closing.signal.aborted) throw new BusUnavailable("the connection to the bus in memory was closed");
    if (!state.isUp) throw new BusUnavailable("the bus in memory does not answer");
  }

  return {
    async publish(subject, id, body) {
      checkSize(`the message ${id}`, body);
      reach();
      const message = { subject, id, body };
      keepMessage(state, message);
      for (const listener of state.listeners) if (listener.wants(subject)) deliver(state, listener, message);
    },
    async listen(pattern, onMessage, signal, onBack = () => undefined) {
      const end = AbortSignal.any([signal, closing.signal]);
      if (end.aborted) return;
      const listener = { wants: (subject: string) => matchesSubject(pattern, subject), take: onMessage, onBack };
      state.listeners.add(listener);
      end.addEventListener("abort", () => void state.listeners.delete(listener), { once: true });
    },
    async recent(limit) {
      reach();
      return state.messages.slice(-limit).map(({ subject, body }) => ({ subject, body }));
    },
    work: async (name, pattern, handle, signal) => workInMemory(state, name, pattern, handle, signal, closing.signal),
    bucket: (name) => openFakeBucket(state, name, reach, closing.signal),
    async ask(subject, body, timeoutMs) {
      checkAskSubject(subject);
      reach();
      const answered = new AbortController();
      const late = clock.sleepReal(timeoutMs, answered.signal).then(() => {
        throw new BusUnavailable(`nobody answered ${subject} within ${timeoutMs} ms`);
      });
      try {
        return (await Promise.race([answerOne(state, subject, body), late])) ?? "";
      } finally {
        late.catch(() => undefined);
        answered.abort();
      }
    },
    async answer(subject, handle, signal) {
      checkAskSubject(subject);
      const end = AbortSignal.any([signal, closing.signal]);
      if (end.aborted) return;
      state.answers.set(subject, handle);
      end.addEventListener("abort", () => void state.answers.delete(subject), { once: true });
    },
    trouble: () => undefined,
    isConnected: () => state.isUp && !closing.signal.aborted,
    async close() {
      closing.abort();
    },
  };
}
