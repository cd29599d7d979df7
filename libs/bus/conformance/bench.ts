import { onTestFinished } from "vitest";

import type { Bus, Entry, KeyWatcher } from "../port.ts";

/** A bus server that a test may do anything to. */
export interface Bench {
  open(): Promise<Bus>;
  /** A client of another installation on the same server. */
  openOther(): Promise<Bus>;
  /** The server is gone. */
  breakOff(): Promise<void>;
  /** It is back, with what it knew. */
  fix(): Promise<void>;
  /** Another client writes, to a bucket as the server names it: its key and its value may be any. */
  write(bucket: string, key: string, value: string): Promise<void>;
  /** It forgets everything while it runs. */
  wipe(): Promise<void>;
}

/** A bus that is closed at the end of the test. */
export async function openFor(bench: Bench): Promise<Bus> {
  const bus = await bench.open();
  onTestFinished(async () => bus.close());
  return bus;
}

/** A bus of another installation, closed at the end of the test. */
export async function openOtherFor(bench: Bench): Promise<Bus> {
  const bus = await bench.openOther();
  onTestFinished(async () => bus.close());
  return bus;
}

/** A watcher that keeps the picture it was told, and the order of what it was told. */
export interface Picture extends KeyWatcher {
  readonly keys: ReadonlyMap<string, string>;
  readonly told: readonly string[];
}

export function createPicture(): Picture {
  const keys = new Map<string, string>();
  const told: string[] = [];
  return {
    keys,
    told,
    onEntry({ key, value }: Entry) {
      told.push(value === undefined ? `-${key}` : `${key}=${value}`);
      if (value === undefined) keys.delete(key);
      else keys.set(key, value);
    },
    onReady: () => void told.push("ready"),
    onReset() {
      told.push("reset");
      keys.clear();
    },
  };
}

/** Aborted at the end of the test. */
export function stopAtEnd(): AbortController {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  return stop;
}
