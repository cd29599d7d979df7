import { isDeepStrictEqual } from "node:util";

import type { ApiRequest, ApiResponse } from "../objects/messages.ts";
import type { ApiTarget } from "../objects/api-path.ts";
import { addConfigMap } from "../writes/add.ts";
import type { Writer } from "../objects/managed-fields.ts";
import type { ModelObject, StringMap } from "../objects/objects.ts";
import { parsePatch } from "../controllers/parse-patch.ts";
import { type ParsedPatch, patchConfigMap, patchLabelled, patchWorkload, type Refusal } from "../controllers/patch.ts";
import { renderObject } from "../render/render.ts";
import { selectOne } from "../state/select-objects.ts";
import { publish, type State } from "../state/state.ts";
import { answerNotFound, answerStatus } from "../objects/status.ts";

/** Server-side apply of a ConfigMap that has one manager: it holds what was applied, and is made where it was not. */
function applyConfigMap(state: State, { body }: ApiRequest, { namespace = "", name = "" }: ApiTarget): ApiResponse {
  const place = state.namespaces.get(namespace);
  if (place === undefined) return answerNotFound("namespaces", namespace);
  const { data = {} } = (body ?? {}) as NewObject;
  const known = place.configMaps.get(name);
  if (known === undefined) return { status: 201, body: renderObject(addConfigMap(state, place, name, data)) };
  const isSame = isDeepStrictEqual({ ...known.data }, { ...data });
  if (!isSame) {
    known.data = data;
    publish(state, "MODIFIED", known);
  }
  return { status: 200, body: renderObject(known) };
}

/** A merge patch of one object, or an apply of a ConfigMap. */
export function patchObject(state: State, request: ApiRequest, target: ApiTarget, writer: Writer): ApiResponse {
  if (request.contentType === "application/apply-patch+yaml" && target.resource === "configmaps")
    return applyConfigMap(state, request, target);
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
  if ("kind" in object) return patchWorkload(state, object, patch, writer);
  switch (object.resource) {
    case "namespaces":
    case "workloadgroups":
      return patchLabelled(state, object, patch, writer);
    case "configmaps":
      return patchConfigMap(state, object, patch);
    case "pods":
    case "poddisruptionbudgets":
    case "mutatingwebhookconfigurations":
    case "workloadentries":
      return { status: 422, reason: "Invalid", message: `the model does not patch ${object.resource}` };
  }
}

interface NewObject {
  readonly metadata?: { readonly name?: string };
  readonly data?: StringMap;
}

/** POST of a ConfigMap. */
export function createObject(state: State, { body }: ApiRequest, target: ApiTarget): ApiResponse {
  const { metadata = {}, data = {} } = (body ?? {}) as NewObject;
  const { name } = metadata;
  if (name === undefined) return answerStatus(422, "Invalid", "metadata.name: Required value");
  const { resource, namespace = "" } = target;
  if (selectOne(state, { ...target, name }) !== undefined)
    return answerStatus(409, "AlreadyExists", `${resource} "${name}" already exists`);
  if (resource === "configmaps") return createConfigMap(state, namespace, name, data);
  // As by the RBAC that ships: no account of ours has the right.
  if (resource === "namespaces")
    return answerStatus(403, "Forbidden", `namespaces is forbidden: cannot create "${name}"`);
  return answerStatus(405, "MethodNotAllowed", `the model does not create ${resource}`);
}

function createConfigMap(state: State, namespace: string, name: string, data: StringMap): ApiResponse {
  const place = state.namespaces.get(namespace);
  if (place === undefined) return answerNotFound("namespaces", namespace);
  return { status: 201, body: renderObject(addConfigMap(state, place, name, data)) };
}
