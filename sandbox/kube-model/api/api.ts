import { type ApiTarget, describeResource, parsePath } from "../objects/api-path.ts";
import type { FaultGate } from "../state/faults.ts";
import { answerIstiodTarget, parseIstiodPath } from "./istiod-api.ts";
import { createEvent, parseEventsPath } from "./create-event.ts";
import { dryRun } from "./dry-run.ts";
import { createLists } from "./lists.ts";
import type { ApiObject, ApiRequest, ApiResponse, WatchEvent } from "../objects/messages.ts";
import type { ModelEvent, Resource } from "../objects/objects.ts";
import { renderObject } from "../render/render.ts";
import { isIn, selectOne } from "../state/select-objects.ts";
import { recall, type State } from "../state/state.ts";
import { answerExpired, answerNotFound, answerStatus } from "../objects/status.ts";
import { createObject, patchObject } from "./write-object.ts";
import type { WriteLog } from "../state/write-log.ts";

export interface ModelApi {
  /** "lost": the connection breaks and the caller learns nothing. */
  handle(request: ApiRequest): ApiResponse | "lost";
  /** The fault that a request meets before it is looked at: what a watch asks before it begins. */
  intercept(request: ApiRequest): ApiResponse | "lost" | undefined;
  /** Tells everything after `rv` at once, then as it happens; the answer ends it. A too old `rv` gets one ERROR event. */
  watch(path: string, rv: string, send: (event: WatchEvent) => void): () => void;
  /** A BOOKMARK for a watch on the path. */
  bookmark(path: string): WatchEvent;
  /** Continue tokens handed out so far answer 410 from now on. */
  expireLists(): void;
}

const VERSION = { major: "1", minor: "36", gitVersion: "v1.36.3", platform: "linux/amd64" };

export function createApi(state: State, faults: FaultGate, log: WriteLog): ModelApi {
  const lists = createLists(state);
  const answer = (request: ApiRequest, target: ApiTarget): ApiResponse => {
    switch (request.method) {
      case "GET":
        return target.name === undefined ? list(request, target) : get(state, target);
      case "PATCH":
        return log.record(request, target, (writer) => patchObject(state, request, target, writer));
      case "POST":
        if (request.query.get("dryRun") === "All") return dryRun(state, request, target);
        return log.record(request, target, () => createObject(state, request, target));
      default:
        return log.note(request, target, refuseMethod(request));
    }
  };
  const list = ({ query }: ApiRequest, target: ApiTarget) => lists.list(target, query);
  const handle = (request: ApiRequest): ApiResponse | "lost" => {
    const target = findTarget(state, request.path);
    const istiod = target === undefined ? parseIstiodPath(request) : undefined;
    const intercepted = faults.intercept(request, target?.resource ?? istiod?.resource);
    if (intercepted !== undefined) return intercepted;
    if (istiod !== undefined) return answerIstiodTarget(state, istiod);
    const response = target === undefined ? answerOther(request, faults, log) : answer(request, target);
    return faults.takeLostAnswer(isWrite(request)) ? "lost" : response;
  };
  const answerEvent = (request: ApiRequest) => {
    const namespace = parseEventsPath(request.path);
    if (namespace === undefined) return undefined;
    return faults.intercept(request, "events") ?? createEvent(state, request, namespace);
  };
  return {
    expireLists: () => lists.expire(),
    intercept: (request) =>
      faults.intercept(request, parsePath(request.path)?.resource) ?? refuseUnserved(state, request.path),
    handle: (request) => answerEvent(request) ?? handle(request),
    watch: (path, rv, send) => openWatch(state, path, Number(rv), send),
    bookmark: (path) => {
      const [apiVersion, kind] = describe(path);
      return { type: "BOOKMARK", object: { kind, apiVersion, metadata: { resourceVersion: String(state.rv) } } };
    },
  };
}

/** Undefined also for a collection whose definition is not installed. */
function findTarget(state: State, path: string): ApiTarget | undefined {
  const target = parsePath(path);
  return target === undefined || isServed(state, target.resource) ? target : undefined;
}

function isServed({ servesVms, servesRollouts }: State, resource: Resource): boolean {
  if (resource === "rollouts") return servesRollouts;
  return servesVms || (resource !== "workloadgroups" && resource !== "workloadentries");
}

function refuseUnserved(state: State, path: string): ApiResponse | undefined {
  const target = parsePath(path);
  return target === undefined || isServed(state, target.resource) ? undefined : answerNotServed();
}

function answerNotServed(): ApiResponse {
  return answerStatus(404, "NotFound", "the server could not find the requested resource");
}

function isWrite({ method, query }: ApiRequest): boolean {
  return method !== "GET" && !query.has("dryRun");
}

function describe(path: string): readonly [apiVersion: string, kind: string] {
  const resource: Resource = parsePath(path)?.resource ?? "pods";
  return describeResource(resource);
}

function get(state: State, target: ApiTarget): ApiResponse {
  const object = selectOne(state, target);
  return object === undefined
    ? answerNotFound(target.resource, target.name ?? "")
    : { status: 200, body: renderObject(object) };
}

/** A right is missing exactly where the collection is forbidden. */
function reviewAccess(body: unknown, faults: FaultGate): ApiResponse {
  const { spec } = body as { readonly spec?: { readonly resourceAttributes?: Readonly<Record<string, string>> } };
  const { resource = "", subresource } = spec?.resourceAttributes ?? {};
  const asked = subresource === undefined ? resource : `${resource}/${subresource}`;
  return { status: 201, body: { ...(body as object), status: { allowed: !faults.isForbidden(asked) } } };
}

function refuseMethod({ method, path }: ApiRequest): ApiResponse {
  return answerStatus(405, "MethodNotAllowed", `the model does not serve ${method} ${path}`);
}

/** What is no object of the model. A subresource (an eviction, a scale) is not served either, but kept in the log. */
function answerOther(request: ApiRequest, faults: FaultGate, log: WriteLog): ApiResponse {
  const { path, body, method } = request;
  if (path === "/readyz") return { status: 200, body: "ok" };
  if (path === "/version") return { status: 200, body: VERSION };
  if (path === "/readyz" || path === "/livez") return { status: 200, body: "ok" };
  if (path === "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews") return reviewAccess(body, faults);
  const missing = answerNotServed();
  return method === "GET" ? missing : log.note(request, undefined, missing);
}

function openWatch(state: State, path: string, rv: number, send: (event: WatchEvent) => void): () => void {
  const target = parsePath(path);
  if (target === undefined || rv < state.oldestRv) {
    const message = `too old resource version: ${rv} (${state.oldestRv})`;
    send({ type: "ERROR", object: answerExpired(message).body as object });
    return () => undefined;
  }
  for (const { type, object, body } of recall(state, rv)) if (isIn(target, object)) send({ type, object: body });
  const watcher = ({ type, object }: ModelEvent) => {
    if (isIn(target, object)) send({ type, object: renderObject(object) satisfies ApiObject });
  };
  state.watchers.add(watcher);
  return () => void state.watchers.delete(watcher);
}
