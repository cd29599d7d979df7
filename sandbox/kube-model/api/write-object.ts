import type { ApiRequest, ApiResponse } from "../objects/messages.ts";
import type { ApiTarget } from "../objects/api-path.ts";
import { addConfigMap, addNamespace } from "../writes/add.ts";
import type { Writer } from "../objects/managed-fields.ts";
import type { ModelObject, StringMap } from "../objects/objects.ts";
import { parsePatch } from "../controllers/parse-patch.ts";
import { type ParsedPatch, patchConfigMap, patchNamespace, patchWorkload, type Refusal } from "../controllers/patch.ts";
import { renderObject } from "../render/render.ts";
import { selectOne } from "../state/select-objects.ts";
import type { State } from "../state/state.ts";
import { answerNotFound, answerStatus } from "../objects/status.ts";

/** A merge patch of one object. */
export function patchObject(state: State, request: ApiRequest, target: ApiTarget, writer: Writer): ApiResponse {
  if (request.contentType !== "application/merge-patch+json") {
    const message = `the model takes application/merge-patch+json only, not ${request.contentType ?? "nothing"}`;
    return answerStatus(415, "UnsupportedMediaType", message);
  }
  const object = selectOne(state, target);
  if (object === undefined) return answerNotFound(target.resource, target.name ?? "");
  const patch = parsePatch(request.body);
  if (typeof patch === "string") return answerStatus(422, "Invalid", patch);
  const refusal = applyPatch(state, object, patch, writer);
  return refusal === undefined
    ? { status: 200, body: renderObject(object) }
    : answerStatus(refusal.status, refusal.reason, refusal.message);
}

function applyPatch(state: State, object: ModelObject, patch: ParsedPatch, writer: Writer): Refusal | undefined {
  switch (object.resource) {
    case "deployments":
    case "statefulsets":
    case "daemonsets":
      return patchWorkload(state, object, patch, writer);
    case "namespaces":
      return patchNamespace(state, object, patch, writer);
    case "configmaps":
      return patchConfigMap(state, object, patch);
    case "pods":
    case "poddisruptionbudgets":
    case "mutatingwebhookconfigurations":
      return { status: 422, reason: "Invalid", message: `the model does not patch ${object.resource}` };
  }
}

interface NewObject {
  readonly metadata?: { readonly name?: string; readonly labels?: StringMap };
  readonly data?: StringMap;
}

/** POST of a namespace or a ConfigMap. */
export function createObject(state: State, { body }: ApiRequest, target: ApiTarget): ApiResponse {
  const { metadata = {}, data = {} } = (body ?? {}) as NewObject;
  const { name, labels = {} } = metadata;
  if (name === undefined) return answerStatus(422, "Invalid", "metadata.name: Required value");
  const { resource, namespace = "" } = target;
  if (selectOne(state, { ...target, name }) !== undefined)
    return answerStatus(409, "AlreadyExists", `${resource} "${name}" already exists`);
  if (resource === "configmaps") return createConfigMap(state, namespace, name, data);
  if (resource === "namespaces") return { status: 201, body: renderObject(addNamespace(state, name, { labels })) };
  return answerStatus(405, "MethodNotAllowed", `the model does not create ${resource}`);
}

function createConfigMap(state: State, namespace: string, name: string, data: StringMap): ApiResponse {
  const place = state.namespaces.get(namespace);
  if (place === undefined) return answerNotFound("namespaces", namespace);
  return { status: 201, body: renderObject(addConfigMap(state, place, name, data)) };
}
