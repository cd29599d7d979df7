import { onTestFinished } from "vitest";

import type { Bus, Entry, KeyWatcher } from "../port.ts";

/** A bus server that a test controls. */
export interface Bench {
  open(): Promise<Bus>;
  /** A client of another installation on the same server. */
  openOther(): Promise<Bus>;
  /** Makes the server unreachable. */
  breakOff(): Promise<void>;
  /** Makes it reachable again, with its data. */
  fix(): Promise<void>;
  /** Writes as another client: any key and value, in a bucket by its name on the server. */
  write(bucket: string, key: string, value: string): Promise<void>;
  /** Deletes all its data while it runs. */
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

/** A watcher that records the present entries, and the order of calls. */
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
