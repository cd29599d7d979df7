import {
  ANSWER_MS,
  type ApiAnswer,
  type ApiCall,
  type Send,
  ServerUnreachable,
} from "../../libs/kube/requests/api-call.ts";
import type { ApiObject } from "../../libs/kube/api-types.ts";
import { createClusterStore } from "../../libs/kube/store/cluster-store.ts";
import { createClusterWriter } from "../../libs/kube/write/cluster-writer.ts";
import type { KubeModel } from "./create-model.ts";
import { renderObject } from "./render/render.ts";
import { omitOwn } from "../../libs/kube/objects/mesh-facts.ts";
import type { Cluster } from "../../libs/kube/port.ts";
import { gateWrites } from "../../libs/kube/requests/gated-requests.ts";
import { createInjectionProver } from "../../libs/kube/watch/injection-prover.ts";
import { createIstiodAsker, type ReadStatus } from "../../libs/kube/istiods/ask-istiod.ts";
import { GrpcRefused } from "../../libs/kube/istiods/ask-over-grpc.ts";
import { createIstiodReader } from "../../libs/kube/istiods/istiod-reader.ts";
import { pathOfPort } from "../../libs/kube/istiods/port-forward.ts";
import { XDS_PORT } from "../../libs/kube/istiods/read-status.ts";
import { readRollout } from "../../libs/kube/rollout/read-rollout.ts";
import { createProblems } from "../../libs/kube/cluster/problems.ts";
import { REFLECTOR_TIMING } from "../../libs/kube/watch/reflector.ts";
import { type ReflectorFault, toFault } from "../../libs/kube/watch/reflector-fault.ts";
import { createRequestGate } from "../../libs/kube/requests/request-gate.ts";
import { STOPS_NAMESPACE } from "../../libs/kube/configmap-names.ts";
import { isAbsent, WATCHED, type WatchedResource } from "../../libs/kube/watch/watched-resources.ts";

/** One page of the model's lists. */
interface Listed {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly items?: readonly ApiObject[];
}

export interface FakeClusterOptions {
  /** Default "meshroll". */
  readonly fieldManager?: string;
  /** Who writes, for the model's log. */
  readonly user?: string;
  /** So late does the watch tell what happened, ms of the model's clock; default 0: at once. */
  readonly lagMs?: number;
  /** Default: the model's clock. */
  readonly monotonic?: () => number;
}

const RETRY_MS = 1_000;

type ListState = "read" | "skipped" | "absent" | "failed";

/** A cluster over the model in the same process: the real projections and patches, without HTTP. */
export function fakeCluster(model: KubeModel, name: string, options: FakeClusterOptions = {}): Cluster {
  const { fieldManager = "meshroll", user = "meshroll-executor", monotonic = () => model.clock.now() } = options;
  const store = createClusterStore(queueMicrotask);
  const problems = createProblems(() => store.feed.add(undefined));
  let seen = { at: 0, monotonic: Number.NEGATIVE_INFINITY };
  /** Since when the open watches send nothing; and from their end until all was listed again. */
  let stalledAt: typeof seen | undefined;
  let lostAt: typeof seen | undefined;
  const touch = () => void (seen = { at: model.clock.now(), monotonic: monotonic() });
  const ask = ({ method, path, contentType, body }: ApiCall): ApiAnswer => {
    const [place = "", query = ""] = path.split("?");
    const request = { method, path: place, query: new URLSearchParams(query), contentType, body, user };
    const answer = model.api.handle(request);
    if (answer === "lost") throw new ServerUnreachable(`${name}: the connection broke`);
    touch();
    return toAnswer(answer);
  };
  const sleep = (ms: number) => new Promise<void>((resolve) => void model.clock.schedule(ms, resolve));
  const gate = createRequestGate({ monotonic, sleepReal: sleep });
  const send: Send = async (call) => {
    const { timeoutMs = ANSWER_MS } = call;
    const delayMs = model.faults.delayMs();
    if (delayMs > 0) await sleep(Math.min(delayMs, timeoutMs));
    if (delayMs >= timeoutMs) throw new ServerUnreachable(`${name}: no byte for ${timeoutMs} ms`);
    return ask(call);
  };
  const readStatus: ReadStatus = async (pod) => {
    const opened = await send({ method: "GET", path: pathOfPort(pod, XDS_PORT), isPassedOn: true });
    return opened.status === 101 ? readIstiod(model, pod.name) : opened;
  };
  const askIstiod = createIstiodAsker({ send, readStatus, monotonic });
  const istiods = createIstiodReader({ ask: askIstiod, store, changed: () => store.feed.add(undefined), monotonic });
  const prover = createInjectionProver({ send: gateWrites(gate, send), store, monotonic });
  const live = new Set<string>();
  /** A collection that could not be listed; no fault: the connection broke. */
  const noteUnread = (resource: WatchedResource, fault: ReflectorFault | undefined): ListState => {
    if (fault === undefined) return "failed";
    if (isAbsent(resource, fault.kind)) {
      problems.clear(resource);
      store.noteAbsent(resource.name);
      return "absent";
    }
    if (fault.kind === "forbidden") store.noteReadable(resource.name, false);
    problems.report(resource, fault);
    return resource.optional && fault.kind === "forbidden" ? "skipped" : "failed";
  };
  const list = (resource: WatchedResource): ListState => {
    const read = readList(ask, resource);
    if ("fault" in read) return noteUnread(resource, read.fault);
    const sink = store.sinks[resource.name];
    sink.beginList();
    for (const item of read.items) sink.upsert(item);
    sink.endList();
    store.observe(read.version);
    store.noteReadable(resource.name, true);
    problems.clear(resource);
    live.add(resource.name);
    return "read";
  };
  /** As a reflector does with a watch that was silent for too long: meanwhile the view is as old as its last word. */
  const listAgain = async (signal: AbortSignal) => {
    for (const resource of WATCHED) problems.report(resource, silent(resource));
    lostAt = stalledAt;
    stalledAt = undefined;
    live.clear();
    await Promise.all(WATCHED.map((resource) => listUntilRead(model, resource, list, signal))).catch(() => undefined);
    lostAt = undefined;
  };
  const moment = () => lostAt ?? seen;
  return {
    name,
    view: {
      namespaces: store.namespaces,
      templateOf: store.templateOf,
      entriesOf: store.entriesOf,
      seenAtMonotonic: () => moment().monotonic,
      // An API server tells its time in whole seconds.
      facts: () => ({ cluster: name, seenAt: moment().at, serverAt: toSecond(model.clock.now()), ...store.facts() }),
    },
    problems: () => [...problems.list(), ...istiods.problems()],
    readIstiods: async () => istiods.read(),
    proveInjection: async (labels, maxAgeMs) => prover.prove(labels, maxAgeMs),
    readRollout: async (ref) => readRollout(gateWrites(gate, send), ref, store.findRefusal),
    noteAdmission: store.noteAdmission,
    locateControlPlane: (place) => store.locate(omitOwn(place, name)),
    ...createClusterWriter(gateWrites(gate, send), fieldManager, {
      noteRefusal: store.noteRefusal,
      serverNow: () => toSecond(model.clock.now()),
      monotonic,
    }),
    start: async (onChange, signal) => {
      const stopWatching = watchModel(model, options.lagMs ?? 0, (event) => {
        const elsewhere = event.resource === "configmaps" && event.body.metadata?.namespace !== STOPS_NAMESPACE;
        if (stalledAt !== undefined || !live.has(event.resource) || elsewhere) return;
        touch();
        store.observe(event.body.metadata?.resourceVersion ?? "0");
        const sink = store.sinks[event.resource];
        if (event.deleted) sink.remove(event.body);
        else sink.upsert(event.body);
      });
      const stopStalling = model.faults.onStall(() => {
        if (stalledAt !== undefined) return;
        stalledAt = { at: model.clock.now(), monotonic: monotonic() };
        model.clock.schedule(REFLECTOR_TIMING.idleMs, () => void listAgain(signal));
      });
      signal.addEventListener("abort", () => {
        stopStalling();
        stopWatching();
        store.feed.stop();
      });
      await Promise.all(WATCHED.map((resource) => listUntilRead(model, resource, list, signal)));
      store.feed.listen(onChange);
    },
  };
}

/** As its answer arrives by ADS. */
function readIstiod(model: KubeModel, pod: string) {
  const status = model.readIstiod(pod);
  if (status === undefined) throw new Error(`error forwarding port ${XDS_PORT}: connect: connection refused`);
  // 7: permission denied.
  if (status === "refused") throw new GrpcRefused(7, "the debug info is not available for current identity");
  return status;
}

function toSecond(at: number): number {
  return Math.floor(at / 1000) * 1000;
}

function silent({ name }: WatchedResource): ReflectorFault {
  return { resource: name, kind: "silent", why: `no byte for ${REFLECTOR_TIMING.idleMs} ms` };
}

function toAnswer({
  status,
  body,
  retryAfterSeconds,
}: Exclude<ReturnType<KubeModel["api"]["handle"]>, string>): ApiAnswer {
  return { status, body, ...(retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1000 }) };
}

type ListRead =
  | { readonly items: readonly ApiObject[]; readonly version: string }
  /** No fault: the connection broke. */
  | { readonly fault: ReflectorFault | undefined };

function readList(ask: (call: ApiCall) => ApiAnswer, { name, path }: WatchedResource): ListRead {
  try {
    const answer = ask({ method: "GET", path });
    if (answer.status !== 200) return { fault: toFault(name, answer) };
    const { items = [], metadata } = answer.body as Listed;
    return { items, version: metadata?.resourceVersion ?? "0" };
  } catch (error) {
    if (error instanceof ServerUnreachable) return { fault: undefined };
    throw error;
  }
}

/** Resolves once the collection was read or may be missing; one that is missing is tried on in the background. */
function listUntilRead(
  model: KubeModel,
  resource: WatchedResource,
  list: (resource: WatchedResource) => ListState,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => reject(signal.reason));
  const look = () => {
    if (signal.aborted) return;
    const state = list(resource);
    if (state !== "failed") resolve();
    const pauseMs = state === "absent" ? REFLECTOR_TIMING.absentRetryMs : RETRY_MS;
    if (state !== "read") model.clock.schedule(Math.max(pauseMs, model.faults.unavailableMs()), attempt);
  };
  const attempt = () => {
    const delayMs = model.faults.delayMs();
    if (delayMs === 0) look();
    // One that hangs is given up, and asked for again.
    else model.clock.schedule(Math.min(delayMs, ANSWER_MS), delayMs < ANSWER_MS ? look : attempt);
  };
  attempt();
  return promise;
}

interface Delivery {
  readonly resource: WatchedResource["name"];
  readonly body: ApiObject;
  readonly deleted: boolean;
}

/** The model's events, in order, `lagMs` late, and none while the API server is away. */
function watchModel(model: KubeModel, lagMs: number, deliver: (event: Delivery) => void): () => void {
  const waiting: { readonly due: number; readonly event: Delivery }[] = [];
  const pump = () => {
    const away = model.faults.unavailableMs();
    for (let next = waiting[0]; away === 0 && next !== undefined; next = waiting[0]) {
      if (next.due > model.clock.now()) break;
      waiting.shift();
      deliver(next.event);
    }
    const [first] = waiting;
    if (first !== undefined) model.clock.schedule(Math.max(away, first.due - model.clock.now(), 1), pump);
  };
  return model.onEvent(({ type, object }) => {
    const event: Delivery = { resource: object.resource, body: renderObject(object), deleted: type === "DELETED" };
    const idle = waiting.length === 0;
    if (idle && lagMs === 0 && !model.faults.isUnavailable()) {
      deliver(event);
      return;
    }
    waiting.push({ due: model.clock.now() + lagMs, event });
    if (idle) pump();
  });
}
