import type { TlsMaterial } from "#libs/runtime";

import { openBucket } from "../buckets/bucket.ts";
import { keepStorageCreated } from "./create-storage.ts";
import { createLink, judgeServer } from "../connection/link.ts";
import { nameBus } from "../names.ts";
import type { Bus, KeyValue } from "../port.ts";
import { readRecent } from "../stream/recent.ts";
import { createPublisher } from "../stream/stream.ts";
import { listen } from "../stream/listen.ts";
import { work } from "../stream/work.ts";

export interface BusOptions {
  /** `nats://[user:password@|token@]host[:port]`, `tls://…`; several servers of one cluster are separated by commas. */
  readonly url: string;
  /** CA and client certificate; turns TLS on. */
  readonly tls?: TlsMaterial | undefined;
  /** The installation of the buckets, stream and subjects; those of others on the server are neither read nor written. */
  readonly installation: string;
  /** The client's name on the server. */
  readonly name: string;
  /**
   * True: without a server the bus is returned after at most two seconds, and the connection follows. False: `BusUnavailable`
   * is thrown.
   */
  readonly patient?: boolean;
  /** Creates the stream and the buckets where they are absent, as the planner does. */
  readonly createsStorage?: boolean;
  /** Called for faults from which the bus recovers by itself. */
  readonly onFault?: (fault: string) => void;
}

/** Longest wait for the first connection, real ms. */
const firstLimitMs = 2_000;

/** The bus over NATS 2.9 or newer with JetStream. Throws `BusUnavailable`, or `BusRefused` for a server that cannot be used. */
export async function openBus({
  url,
  tls,
  installation,
  name,
  patient = false,
  createsStorage = false,
  onFault = () => undefined,
}: BusOptions): Promise<Bus> {
  const names = nameBus(installation);
  const link = createLink({ url, tls, name, onFault });
  try {
    const refused = judgeServer(await link.open(firstLimitMs), link.address);
    if (refused !== undefined) throw refused;
  } catch (error) {
    const goesOn = patient && !link.isConnected();
    if (!goesOn) {
      await link.close();
      throw error;
    }
  }
  if (createsStorage) keepStorageCreated(link, names);
  const buckets = new Map<string, KeyValue>();
  return {
    publish: createPublisher(link, names),
    listen: async (pattern, onMessage, signal, onBack) => listen(link, names, pattern, onMessage, signal, onBack),
    recent: async (limit) => readRecent(link, names, limit),
    work: async (workName, pattern, handle, signal) => work(link, { names, name: workName, pattern, handle }, signal),
    bucket(bucketName) {
      const bucket = buckets.get(bucketName) ?? openBucket(link, names.bucket(bucketName));
      buckets.set(bucketName, bucket);
      return bucket;
    },
    isConnected: () => link.isConnected(),
    trouble: () => link.troubles.first(),
    close: async () => link.close(),
  };
}
