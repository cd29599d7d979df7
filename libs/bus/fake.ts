import { testInstallation } from "#libs/input";

import { BusUnavailable } from "./errors.ts";
import { openFakeBucket } from "./fake/fake-bucket.ts";
import {
  type FakeBusServer,
  type FakeListener,
  type FakeMessage,
  type FakeState,
  findState,
} from "./fake/fake-server.ts";
import { storeMessage, workInMemory } from "./fake/fake-work.ts";
import { checkSize, matchesSubject, nameBus } from "./names.ts";
import type { Bus } from "./port.ts";

export { createFakeBusServer, type FakeBusServer, type FakeMessage, type Fate } from "./fake/fake-server.ts";

/** Delivers to a listener asynchronously, as a network would, never inside the call that caused it. */
function deliver(state: FakeState, listener: FakeListener, message: FakeMessage): void {
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

/** A client of a bus in memory, for one installation. */
export function openFakeBus(server: FakeBusServer, installation: string = testInstallation): Bus {
  const names = nameBus(installation);
  const state = findState(server);
  const closing = new AbortController();

  function reach(): void {
    if (closing.signal.aborted) throw new BusUnavailable("the connection to the bus in memory was closed");
    if (!state.isUp) throw new BusUnavailable("the bus in memory does not answer");
  }

  return {
    async publish(subject, body) {
      checkSize(`a message ${subject}`, body);
      reach();
      const message = { installation, subject, body };
      storeMessage(state, message);
      for (const listener of state.listeners) if (listener.wants(message)) deliver(state, listener, message);
    },
    async listen(pattern, onMessage, signal, onBack = () => undefined) {
      const end = AbortSignal.any([signal, closing.signal]);
      if (end.aborted) return;
      const wants: FakeListener["wants"] = (message) => {
        return message.installation === installation && matchesSubject(pattern, message.subject);
      };
      const listener = { wants, take: onMessage, onBack };
      state.listeners.add(listener);
      end.addEventListener("abort", () => void state.listeners.delete(listener), { once: true });
    },
    async recent(limit) {
      reach();
      const own = state.messages.filter((message) => message.installation === installation);
      return own.slice(-limit).map(({ subject, body }) => ({ subject, body }));
    },
    work: async (name, pattern, handle, signal) =>
      workInMemory(state, { installation, name, pattern, handle }, signal, closing.signal),
    bucket: (name) => openFakeBucket(state, names.bucket(name), reach, closing.signal),
    trouble: () => undefined,
    isConnected: () => state.isUp && !closing.signal.aborted,
    async close() {
      closing.abort();
    },
  };
}
