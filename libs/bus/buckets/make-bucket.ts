import { DiscardPolicy } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";

import type { Session } from "../connection/link.ts";

/**
 * What the client's own `create` gives a bucket, but for one thing: there a header of one message (`Nats-Rollup`) takes away
 * all other keys, and who may write one key may send it. Nothing else that a message can ask for touches another key,
 * unless a stream was made to allow it.
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

/** For a bucket that an earlier version created. */
export async function refuseRollups({ jsm }: Session, name: string): Promise<void> {
  await jsm.streams.update(`KV_${name}`, { allow_rollup_hdrs: false });
}
