import { admitPod } from "../controllers/admission.ts";
import type { ApiTarget } from "../objects/api-path.ts";
import type { ApiRequest, ApiResponse } from "../objects/messages.ts";
import type { StringMap, Template } from "../objects/objects.ts";
import { answerNotFound, answerStatus } from "../objects/status.ts";
import { renderInjection, renderProxy } from "../render/render-pod.ts";
import type { State } from "../state/state.ts";

interface NewPod {
  readonly metadata?: { readonly labels?: StringMap; readonly annotations?: StringMap };
  readonly spec?: { readonly hostNetwork?: boolean };
}

function readTemplate({ metadata = {}, spec = {} }: NewPod): Template {
  const { labels = {}, annotations = {} } = metadata;
  return { labels, annotations, hostNetwork: spec.hostNetwork === true, image: "app" };
}

function renderInjected(pod: NewPod, revision: string | undefined): object {
  const annotations = { ...pod.metadata?.annotations, ...renderInjection(revision) };
  const sidecar = revision === undefined ? {} : { initContainers: [renderProxy(revision)] };
  return { ...pod, metadata: { ...pod.metadata, annotations }, spec: { ...pod.spec, ...sidecar } };
}

/** What would come of a new ConfigMap: a namespace that is not there takes none. */
function dryRunMap(state: State, body: unknown, namespace: string): ApiResponse {
  const place = state.namespaces.get(namespace);
  if (place === undefined) return answerNotFound("namespaces", namespace);
  const { name = "" } = (body as { readonly metadata?: { readonly name?: string } } | undefined)?.metadata ?? {};
  if (place.configMaps.has(name)) return answerStatus(409, "AlreadyExists", `configmaps "${name}" already exists`);
  return { status: 201, body };
}

/** What would come of a new pod, by admission, or of a new ConfigMap; nothing is kept. */
export function dryRun(state: State, { body }: ApiRequest, { resource, namespace = "" }: ApiTarget): ApiResponse {
  if (resource === "configmaps") return dryRunMap(state, body, namespace);
  if (resource !== "pods") return answerStatus(405, "MethodNotAllowed", `the model makes no dry run of ${resource}`);
  const place = state.namespaces.get(namespace);
  if (place === undefined) return answerNotFound("namespaces", namespace);
  const pod = (body ?? {}) as NewPod;
  const admission = admitPod(state, place, readTemplate(pod));
  if (admission.kind === "refused") return answerStatus(500, "InternalError", admission.why);
  return { status: 201, body: renderInjected(pod, admission.kind === "injected" ? admission.revision : undefined) };
}
