import type { WorkloadRef, WriteRefusal } from "#libs/fleet";

import type { Change, Cluster, WriteOutcome } from "../port.ts";

/** Where a refusal is kept with the facts of its object, and by which clocks. */
export interface RefusalNotes {
  /** Instead of what was kept of it; undefined: it was written. */
  noteRefusal(object: WorkloadRef | string, refusal: WriteRefusal | undefined): void;
  /** Epoch ms by the API server's clock. */
  serverNow(): number;
  /** Real ms. */
  monotonic(): number;
}

/** An admission webhook that does not answer for so long refuses the object, real ms: it may only be restarted. */
const webhookMs = 60_000;

/** As the mark of the move says it. */
const runKey = "meshroll.dev/run";

type Patches = Pick<Cluster, "patchWorkload" | "patchNamespace">;

/** The same writes, each of which leaves what the API server said of it with the facts of its object. */
export function noteRefusals({ patchWorkload, patchNamespace }: Patches, notes: RefusalNotes): Patches {
  /** Since when the webhook of an object has not answered. */
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
    // What records an arrival moves nothing: refused, it is no failure.
    if (change.isRecord === true) return answered;
    const name = typeof object === "string" ? object : `${object.namespace}/${object.kind}/${object.name}`;
    const outcome = judge(name, answered);
    const run = change.annotations?.[runKey] ?? undefined;
    if (outcome.kind === "written") notes.noteRefusal(object, undefined);
    // An undo names no run: what it undoes goes on, and is undone once that is let pass.
    else if (outcome.kind === "refused" && run !== undefined)
      notes.noteRefusal(object, { run, why: outcome.why, at: new Date(notes.serverNow()).toISOString() });
    return outcome;
  };
  return {
    patchWorkload: async (ref, change) => note(ref, change, await patchWorkload(ref, change)),
    patchNamespace: async (name, change) => note(name, change, await patchNamespace(name, change)),
  };
}
