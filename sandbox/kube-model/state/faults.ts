import type { ApiRequest, ApiResponse } from "../objects/messages.ts";
import type { ModelClock } from "../objects/clock.ts";
import type { Resource } from "../objects/objects.ts";
import { answerStatus } from "../objects/status.ts";

/** What RBAC has a right for. */
export type Guarded =
  | Resource
  | "events"
  | "pods/proxy"
  | "pods/portforward"
  | "serviceaccounts/token"
  | "mutatingadmissionpolicybindings";

/** What refuses a write, in the words of an API server. */
export type RefusedBy = "policy" | "rbac" | "validation" | "webhook";

const refusals: Readonly<Record<RefusedBy, (namespace: string, user: string) => ApiResponse>> = {
  policy: (namespace) => answerStatus(403, "Forbidden", `admission policy "frozen" denied the request: ${namespace}`),
  rbac: (namespace, user) =>
    answerStatus(
      403,
      "Forbidden",
      `User "${user}" cannot patch resource "deployments" in the namespace "${namespace}"`,
    ),
  validation: () =>
    answerStatus(
      422,
      "Invalid",
      'Deployment.apps "web" is invalid: spec.template.spec.containers[0].image: Required value',
    ),
  webhook: () =>
    answerStatus(
      500,
      "InternalError",
      'Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: context deadline exceeded',
    ),
};

/** Scripted behaviour of the API server itself. Every fault ends by itself or with the function it returns. */
export interface ModelFaults {
  /** No request is answered and no watch tells anything for so long. */
  unavailableFor(ms: number): void;
  /** The next writes answer 409 as if another client had been faster. */
  conflictNext(times: number): void;
  /** The next requests, watches, Events and what is asked of istiods skipped, answer 429. */
  throttleNext(times: number, retryAfterSeconds: number): void;
  /** The next writes are carried out, but the answer never arrives. */
  loseAnswers(times: number): void;
  /** Every request, open watches skipped, gets this status until the answer is called. */
  failAll(status: number): () => void;
  /** Every answer comes so late, until the answer is called; open watches go on. What exceeds a caller's patience hangs. */
  delayAnswers(ms: number): () => void;
  /** How late answers come now, ms. */
  delayMs(): number;
  /** RBAC: 403 for every request on the collection until the answer is called. */
  forbid(resource: Guarded): () => void;
  /**
   * Every write in the namespace is answered so until it ends: an admission policy denies it (default), RBAC has no right there, the
   * object is invalid, or a webhook that must admit it is away. `count`: how many were refused.
   */
  refuseWrites(namespace: string, by?: RefusedBy): { readonly count: () => number; readonly end: () => void };
  /** It starts: 403 for every request, and `/readyz` fails, until the answer is called. */
  start(): () => void;
  /** The same, and it becomes ready in the moment in which `/readyz` is asked. */
  startUntilAsked(): void;
  /** True while `forbid` holds for the collection. */
  isForbidden(resource: string): boolean;
  isUnavailable(): boolean;
  /** Open watches tell nothing any more, not even bookmarks, and stay open; all else is answered. New ones are healthy. */
  stallWatches(): void;
  /** Called at each `stallWatches`, for who has watches open; the answer ends that. */
  onStall(listener: () => void): () => void;
  /** Ms until the end of `unavailableFor`. */
  unavailableMs(): number;
}

export interface FaultGate extends ModelFaults {
  /** What a request gets instead of its answer. */
  intercept(request: ApiRequest, resource: Guarded | undefined): ApiResponse | "lost" | undefined;
  /** True when the answer to a write that was carried out is lost. */
  takeLostAnswer(isWrite: boolean): boolean;
}

interface Policy {
  readonly namespace: string;
  readonly by: RefusedBy;
  refused: number;
}

export function createFaults(clock: ModelClock): FaultGate {
  let downUntil = 0;
  let conflicts = 0;
  let throttles = { times: 0, seconds: 0 };
  let lost = 0;
  const forbidden: Guarded[] = [];
  const policies: Policy[] = [];
  const failing: number[] = [];
  const starts: true[] = [];
  let isAlmostReady = false;
  const delays: number[] = [];
  const takeConflict = ({ method }: ApiRequest): ApiResponse | undefined => {
    if (method !== "PATCH" || conflicts <= 0) return undefined;
    conflicts--;
    return answerStatus(409, "Conflict", "Operation cannot be fulfilled: the object has been modified");
  };
  const takeStart = (request: ApiRequest): ApiResponse | undefined => {
    if (request.path === "/readyz") isAlmostReady = false;
    return starts.length > 0 || isAlmostReady ? answerWhileStarting(request) : undefined;
  };
  const stallListeners: (() => void)[] = [];
  const isUnavailable = () => clock.now() < downUntil;
  return {
    unavailableFor: (ms) => void (downUntil = clock.now() + ms),
    conflictNext: (times) => void (conflicts += times),
    throttleNext: (times, seconds) => void (throttles = { times, seconds }),
    loseAnswers: (times) => void (lost += times),
    stallWatches: () => stallListeners.forEach((listener) => listener()),
    onStall: (listener) => push(stallListeners, listener),
    forbid: (resource) => push(forbidden, resource),
    refuseWrites: (namespace, by = "policy") => {
      const policy = { namespace, by, refused: 0 };
      return { count: () => policy.refused, end: push(policies, policy) };
    },
    start: () => push(starts, true),
    startUntilAsked: () => void (isAlmostReady = true),
    failAll: (status) => push(failing, status),
    delayAnswers: (ms) => push(delays, ms),
    delayMs: () => Math.max(0, ...delays),
    isForbidden: (resource) => forbidden.some((each) => each === resource),
    isUnavailable,
    unavailableMs: () => Math.max(0, downUntil - clock.now()),
    takeLostAnswer: (isWrite) => isWrite && lost > 0 && lost-- > 0,
    intercept: (request, resource) => {
      if (isUnavailable()) return "lost";
      const [status] = failing;
      if (status !== undefined) return answerStatus(status, "ServiceUnavailable", "the server is currently unable");
      const starting = takeStart(request);
      if (starting !== undefined) return starting;
      if (throttles.times > 0 && !isOnItsOwn(request, resource)) {
        throttles = { ...throttles, times: throttles.times - 1 };
        return answerStatus(429, "TooManyRequests", "the server has received too many requests", throttles.seconds);
      }
      if (resource !== undefined && forbidden.includes(resource)) {
        const message = `${resource} is forbidden: User "${request.user}" cannot ${request.method.toLowerCase()} resource "${resource}"`;
        return answerStatus(403, "Forbidden", message);
      }
      return enforce(policies, request, resource) ?? takeConflict(request);
    },
  };
}

const ofTheirOwn: ReadonlySet<Guarded> = new Set(["events", "pods/proxy", "pods/portforward", "serviceaccounts/token"]);

/**
 * Watches, what istiods are asked, Events and dry runs come when an executor likes: counted, "the next request" were a matter of
 * luck.
 */
function isOnItsOwn({ query }: ApiRequest, resource: Guarded | undefined): boolean {
  return (resource !== undefined && ofTheirOwn.has(resource)) || query.has("watch") || query.has("dryRun");
}

function answerWhileStarting({ path, user }: ApiRequest): ApiResponse {
  if (path === "/readyz") return answerStatus(500, "InternalError", "[-]informer-sync failed: reason withheld");
  return answerStatus(403, "Forbidden", `User "${user}" cannot access path "${path}": RBAC: not read yet`);
}

function isWithin(path: string, namespace: string): boolean {
  return `${path}/`.includes(`/namespaces/${namespace}/`);
}

/** Policies are about workloads here: Events pass them, and are counted by none. */
function enforce(
  policies: readonly Policy[],
  { method, path, user }: ApiRequest,
  resource: Guarded | undefined,
): ApiResponse | undefined {
  if (resource === "events") return undefined;
  const policy = policies.find(({ namespace, by }) => {
    // The namespace itself is valid.
    const isSpared = by === "validation" && path.endsWith(`/namespaces/${namespace}`);
    return method !== "GET" && isWithin(path, namespace) && !isSpared;
  });
  if (policy === undefined) return undefined;
  policy.refused += 1;
  return refusals[policy.by](policy.namespace, user);
}

/** Adds it until the answer is called. */
function push<T>(list: T[], item: T): () => void {
  list.push(item);
  return () => void list.splice(list.indexOf(item), 1);
}
