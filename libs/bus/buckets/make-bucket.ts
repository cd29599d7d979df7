import { DiscardPolicy } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";

import type { Session } from "../connection/link.ts";

/**
 * Creates a bucket as the client's `create` does, but without rollups: with them the header `Nats-Rollup` of one message
 * removes all other keys, and a login that may write one key may send it. No other header can touch another key, unless the
 * stream's settings allow it.
 */
export async function makeBucket({ jsm, kvm }: Session, name: string): Promise<KV> {
  await jsm.streams.add({
    name: `KV_${name}`,
    subjects: [`$KV.${name}.>`],
    max_msgs_per_subject: 1,
    discard: DiscardPolicy.New,
    allow_direct: true,
    allow_rollup_hdrs: false,
  });
  return kvm.open(name, { allow_direct: true });
}

/** Forbids rollups in a bucket that an earlier version created. */
export async function refuseRollups({ jsm }: Session, name: string): Promise<void> {
  await jsm.streams.update(`KV_${name}`, { allow_rollup_hdrs: false });
}
