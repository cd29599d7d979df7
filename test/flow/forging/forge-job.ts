import { openFakeQueue } from "#fakes/queue";

import type { FleetFlow } from "../fleet-flow.ts";

/**
 * Adds a job of the newest run, as anyone with a login to Redis can: all of its fields are on the bus and in the repository.
 */
export async function forgeJob(flow: FleetFlow, change: object = {}): Promise<void> {
  const ledger = await flow.ledger();
  const run = Object.values(ledger?.runs ?? {}).at(-1);
  const text = (await flow.bucket("inventory").get("one._"))?.value ?? "{}";
  const { uid } = JSON.parse(text) as { readonly uid: string };
  const job = { version: 1, cluster: "one", clusterUid: uid, run: run?.id ?? "", due: "pending", ...change };
  await openFakeQueue(flow.queue).put("one", job);
}
