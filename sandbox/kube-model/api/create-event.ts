import type { ApiRequest, ApiResponse, KubeEvent } from "../objects/messages.ts";
import { answerNotFound, answerStatus } from "../objects/status.ts";
import type { State } from "../state/state.ts";

/** A real server forgets them after an hour. */
const mostKept = 10_000;
const required = ["reportingController", "reportingInstance", "action", "reason"] as const;

/** The namespace whose Events the path names; undefined for all other paths. */
export function parseEventsPath(path: string): string | undefined {
  return /^\/apis\/events\.k8s\.io\/v1\/namespaces\/([^/]+)\/events$/u.exec(path)?.[1];
}

/** What the API server's validation of events.k8s.io/v1 says, as far as a client of ours could get it wrong. */
function findFault(event: KubeEvent, namespace: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/u.test(event.eventTime)) return "eventTime: Required value";
  const absent = required.find((field) => (event[field] ?? "") === "");
  if (absent !== undefined) return `${absent}: Required value`;
  if (!/^([\w.-]+\/)?[\w.-]+$/u.test(event.reportingController)) return "reportingController: must be a qualified name";
  if (Buffer.byteLength(event.note) > 1024) return "note: can have at most 1024 bytes";
  if (!["Normal", "Warning"].includes(event.type)) return "type: Invalid value";
  if (event.regarding.namespace !== namespace) return "involvedObject.namespace: does not match event.namespace";
  const { name } = event.metadata;
  const isName = name.length <= 253 && name.split(".").every((part) => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/u.test(part));
  return isName ? undefined : "metadata.name: must be a lowercase RFC 1123 subdomain";
}

/** POST of an Event. It is no change of an object of meshroll's, and in no log of writes, as audit policies have it. */
export function createEvent(state: State, { method, body }: ApiRequest, namespace: string): ApiResponse {
  if (method !== "POST") return answerStatus(405, "MethodNotAllowed", `the model does not serve ${method} of events`);
  if (!state.namespaces.has(namespace)) return answerNotFound("namespaces", namespace);
  const event = body as KubeEvent;
  const fault = findFault(event, namespace);
  if (fault !== undefined) return answerStatus(422, "Invalid", `Event "${event.metadata.name}" is invalid: ${fault}`);
  const key = `${namespace}/${event.metadata.name}`;
  if (state.events.has(key))
    return answerStatus(409, "AlreadyExists", `events.events.k8s.io "${event.metadata.name}" already exists`);
  state.events.set(key, event);
  const [oldest] = state.events.keys();
  if (state.events.size > mostKept && oldest !== undefined) state.events.delete(oldest);
  return { status: 201, body: { ...event, metadata: { ...event.metadata, resourceVersion: String(state.rv) } } };
}
