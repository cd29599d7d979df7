import type { FakeState, FakeWatch } from "./fake-server.ts";
import { checkKey, checkSize, matchesSubject } from "../names.ts";
import type { Entry, KeyValue, KeyWatcher } from "../port.ts";

/** What a watcher is told, one after the other and never inside of the call that caused it. */
function createNotification(end: AbortSignal): (tell: () => void) => void {
  return (tell) =>
    queueMicrotask(() => {
      if (!end.aborted) tell();
    });
}

/** A bucket in memory, by the name that it has on the server; `reach` throws while that is away. */
export function openFakeBucket(state: FakeState, name: string, reach: () => void, closing: AbortSignal): KeyValue {
  function keys(): Map<string, Entry> {
    const found = state.buckets.get(name) ?? new Map<string, Entry>();
    state.buckets.set(name, found);
    return found;
  }

  function write(entry: Omit<Entry, "revision">): void {
    const written = { ...entry, revision: ++state.revision };
    keys().set(entry.key, written);
    for (const watch of state.watches) {
      if (watch.bucket === name && watch.wants(entry.key)) watch.onChange(written);
    }
  }

  function startWatch(pattern: string, watcher: KeyWatcher, end: AbortSignal): void {
    const tell = createNotification(end);
    const wants = (key: string) => matchesSubject(pattern, key);
    const replay = () => {
      for (const entry of keys().values()) {
        if (entry.value !== undefined && wants(entry.key)) tell(() => watcher.onEntry(entry));
      }
      tell(() => watcher.onReady());
    };
    const watch: FakeWatch = {
      bucket: name,
      wants,
      onChange: (entry) => tell(() => watcher.onEntry(entry)),
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
      // The caller goes on after the first keys, as with the real one.
      await new Promise<void>((resolve) => {
        queueMicrotask(resolve);
      });
    },
  };
}
