import { createHash } from "node:crypto";

import type { ApiCall } from "../requests/api-call.ts";
import type { WorkloadEvent } from "../port.ts";

/** Who tells: `kubectl describe` shows it under From. */
const controller = "meshroll.dev/executor";
/** Bytes that the API takes of a note. */
const longestNote = 1024;
/** Names of objects are DNS subdomains of at most 253 characters; a dot and 16 digits follow. */
const longestStem = 236;
/** Less than a write gets: nothing waits for it, but the next Event. */
const limitMs = 10_000;

/** The same for the same effect: of two that tell it, the API server refuses the second as a conflict. */
function nameEvent({ ref, id }: WorkloadEvent): string {
  const stem = ref.name.slice(0, longestStem).replace(/[.-]+$/u, "");
  return `${stem}.${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
}

/** The longest beginning of whole characters that fits; what is cut off is marked. */
function fitNote(note: string): string {
  if (Buffer.byteLength(note) <= longestNote) return note;
  const cut = Buffer.from(note).subarray(0, longestNote - Buffer.byteLength("…"));
  return `${new TextDecoder().decode(cut).replace(/\uFFFD+$/u, "")}…`;
}

/** The request that creates the Event. */
export function describeEventCall(event: WorkloadEvent, fieldManager: string): ApiCall {
  const { ref, uid, type, reason, action, note, at } = event;
  const { namespace, kind, name } = ref;
  const body = {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: nameEvent(event), namespace },
    // Its microseconds are part of the format.
    eventTime: new Date(at).toISOString().replace("Z", "000Z"),
    reportingController: controller,
    reportingInstance: "meshroll-executor",
    type,
    reason,
    action,
    note: fitNote(note),
    regarding: { apiVersion: "apps/v1", kind, namespace, name, uid },
  };
  const place = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events`;
  return {
    method: "POST",
    path: `${place}?fieldManager=${encodeURIComponent(fieldManager)}`,
    contentType: "application/json",
    body,
    timeoutMs: limitMs,
    isEvent: true,
  };
}
