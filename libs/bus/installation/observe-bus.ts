import type { Bus, Entry, KeyValue } from "../port.ts";

type BucketName = Parameters<Bus["bucket"]>[0];

/** Callbacks for what one process publishes and receives; they must not throw. */
export interface BusObserver {
  /** The stream accepted a message. */
  published?(subject: string, body: string): void;
  /** A call failed: the bus is down or refused it. */
  failed?(): void;
  /** A bucket accepted a value. */
  put?(bucket: BucketName, key: string, value: string): void;
  /** A watch received a key. */
  heard?(bucket: BucketName, entry: Entry): void;
}

/** The same bucket with callbacks. */
function observeBucket(bucket: KeyValue, name: BucketName, observer: BusObserver): KeyValue {
  return {
    ...bucket,
    async put(key, value, expected) {
      const isWritten = await noteFailure(bucket.put(key, value, expected), observer);
      if (isWritten) observer.put?.(name, key, value);
      return isWritten;
    },
    async watch(pattern, watcher, signal) {
      const seen = {
        onEntry(entry: Entry) {
          observer.heard?.(name, entry);
          watcher.onEntry(entry);
        },
        onReady: () => watcher.onReady(),
        onReset: () => watcher.onReset(),
      };
      await bucket.watch(pattern, seen, signal);
    },
  };
}

async function noteFailure<T>(call: Promise<T>, observer: BusObserver): Promise<T> {
  try {
    return await call;
  } catch (error) {
    observer.failed?.();
    throw error;
  }
}

/** The same bus with callbacks, for metrics. */
export function observeBus(bus: Bus, observer: BusObserver): Bus {
  const buckets = new Map<BucketName, KeyValue>();
  return {
    ...bus,
    async publish(subject, body) {
      await noteFailure(bus.publish(subject, body), observer);
      observer.published?.(subject, body);
    },
    bucket(name) {
      const bucket = buckets.get(name) ?? observeBucket(bus.bucket(name), name, observer);
      buckets.set(name, bucket);
      return bucket;
    },
  };
}
