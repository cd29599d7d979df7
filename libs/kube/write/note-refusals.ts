import type { WorkloadRef, WriteRefusal } from "#libs/fleet";

import type { Change, Cluster, WriteOutcome } from "../port.ts";

/** Where a refusal is recorded, and the clocks for it. */
export interface RefusalNotes {
  /** Replaces the recorded refusal; undefined: the write succeeded. */
  noteRefusal(object: WorkloadRef | string, refusal: WriteRefusal | undefined): void;
  /** Epoch ms by the API server's clock. */
  serverNow(): number;
  /** Real ms. */
  monotonic(): number;
}

/** An admission webhook that does not answer for this long counts as a refusal, real ms. Before, it may just be restarting. */
const webhookMs = 60_000;

/** The annotation that names the move's run. */
const runKey = "meshroll.dev/run";

type Patches = Pick<Cluster, "patchWorkload" | "patchNamespace">;

/** The same writes, with the API server's refusals recorded in the facts of the object. */
export function noteRefusals({ patchWorkload, patchNamespace }: Patches, notes: RefusalNotes): Patches {
  /** When the webhook of an object failed to answer first. */
  const silentSince = new Map<string, number>();
  const judge = (name: string, outcome: WriteOutcome): WriteOutcome => {
    if (outcome.kind !== "unavailable" || outcome.byWebhook !== true) {
      silentSince.delete(name);
      return outcome;
    }
    const since = silentSince.get(name) ?? notes.monotonic();
    silentSince.set(name, since);
    return notes.monotonic() - since < webhookMs ? outcome : { kind: "refused", why: outcome.why };
  };
  const note = (object: WorkloadRef | string, change: Change, answered: WriteOutcome): WriteOutcome => {
    // To record an arrival moves nothing, so its refusal is no failure.
    if (change.isRecord === true) return answered;
    const name = typeof object === "string" ? object : `${object.namespace}/${object.kind}/${object.name}`;
    const outcome = judge(name, answered);
    const run = change.annotations?.[runKey] ?? undefined;
    if (outcome.kind === "written") notes.noteRefusal(object, undefined);
    // An undo names no run: it is tried again until it is let through.
    else if (outcome.kind === "refused" && run !== undefined)
      notes.noteRefusal(object, { run, why: outcome.why, at: new Date(notes.serverNow()).toISOString() });
    return outcome;
  };
  return {
    patchWorkload: async (ref, change) => note(ref, change, await patchWorkload(ref, change)),
    patchNamespace: async (name, change) => note(name, change, await patchNamespace(name, change)),
  };
}
