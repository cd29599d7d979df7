import { createHash } from "node:crypto";

import type { ApiCall } from "../requests/api-call.ts";
import type { WorkloadEvent } from "../port.ts";
import { nameApiVersion } from "../requests/workload-path.ts";

/** Shown by `kubectl describe` under From. */
const controller = "meshroll.dev/executor";
/** The API's limit for a note, bytes. */
const longestNote = 1024;
/** Names of objects have at most 253 characters; a dot and 16 digits follow. */
const longestStem = 236;
/** Shorter than for a write: only the next Event waits for it. */
const limitMs = 10_000;

/** The same name for the same effect, so that the API server refuses a repeated Event as a conflict. */
function nameEvent({ ref, id }: WorkloadEvent): string {
  const stem = ref.name.slice(0, longestStem).replace(/[.-]+$/u, "");
  return `${stem}.${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
}

/** Cuts a note at whole characters, with a mark that it was cut. */
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
    // The format has microseconds.
    eventTime: new Date(at).toISOString().replace("Z", "000Z"),
    reportingController: controller,
    reportingInstance: "meshroll-executor",
    type,
    reason,
    action,
    note: fitNote(note),
    regarding: { apiVersion: nameApiVersion(kind), kind, namespace, name, uid },
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
