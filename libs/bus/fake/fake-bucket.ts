import { type FakeState, type FakeWatch, keysOf, writeEntry } from "./fake-server.ts";
import { readMessage } from "../errors.ts";
import { checkKey, checkSize, isKey, matchesSubject } from "../names.ts";
import type { Entry, KeyValue, KeyWatcher } from "../port.ts";

/** Calls a watcher asynchronously, in order, never inside the call that caused it. */
function createNotification(end: AbortSignal): (tell: () => void) => void {
  return (tell) =>
    queueMicrotask(() => {
      if (!end.aborted) tell();
    });
}

/** A bucket in memory, by its name on the server; `reach` throws while the server is down. */
export function openFakeBucket(state: FakeState, name: string, reach: () => void, closing: AbortSignal): KeyValue {
  const keys = (): Map<string, Entry> => keysOf(state, name);
  const write = (entry: Omit<Entry, "revision">): void => writeEntry(state, name, entry);

  function startWatch(pattern: string, watcher: KeyWatcher, end: AbortSignal): void {
    const tell = createNotification(end);
    const wants = (key: string) => isKey(key) && matchesSubject(pattern, key);
    const tellEntry = (entry: Entry): void => {
      try {
        watcher.onEntry(entry);
      } catch (error) {
        state.faults.push(`${entry.key}: ${readMessage(error)}`);
      }
    };
    const replay = () => {
      for (const entry of keys().values()) {
        if (entry.value !== undefined && wants(entry.key)) tell(() => tellEntry(entry));
      }
      tell(() => watcher.onReady());
    };
    const watch: FakeWatch = {
      bucket: name,
      wants,
      onChange: (entry) => tell(() => tellEntry(entry)),
      onRestart() {
        tell(() => watcher.onReset());
        replay();
      },
    };
    state.watches.add(watch);
    end.addEventListener("abort", () => void state.watches.delete(watch), { once: true });
    if (state.isUp) replay();
  }

  return {
    async get(key) {
      checkKey(key);
      reach();
      const found = keys().get(key);
      return found?.value === undefined ? undefined : found;
    },
    async put(key, value, expected) {
      checkKey(key);
      checkSize(`the value of ${key}`, value);
      reach();
      const found = keys().get(key);
      const revision = found?.value === undefined && expected === 0 ? 0 : (found?.revision ?? 0);
      if (expected !== undefined && expected !== revision) return false;
      write({ key, value });
      return true;
    },
    async delete(key) {
      checkKey(key);
      reach();
      write({ key });
    },
    async sweep(pattern, before) {
      reach();
      for (const { key, revision } of keys().values()) {
        if (revision < before && matchesSubject(pattern, key)) keys().delete(key);
      }
    },
    async keys(pattern) {
      reach();
      return new Set([...keys().keys()].filter((key) => matchesSubject(pattern, key)));
    },
    async watch(pattern, watcher, signal) {
      const end = AbortSignal.any([signal, closing]);
      if (end.aborted) return;
      startWatch(pattern, watcher, end);
      // Returns after the first keys, as the real one does.
      await new Promise<void>((resolve) => {
        queueMicrotask(resolve);
      });
    },
  };
}
