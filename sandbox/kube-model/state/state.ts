import type { ModelClock } from "../objects/clock.ts";
import type { Breakage, ModelEvent, ModelNamespace, ModelObject, ModelWebhook } from "../objects/objects.ts";
import type { ApiObject, KubeEvent } from "../objects/messages.ts";
import { renderObject } from "../render/render.ts";

/** An event as it is kept for watches that resume. */
interface Remembered extends ModelEvent {
  /** Deleted objects are kept as they were last seen; live ones are rendered when they are requested. */
  readonly last?: ApiObject;
}

/** What an istiod is, beyond its pods. */
export interface IstiodTraits {
  readonly version: string;
  /** It lets our ServiceAccount read nothing. */
  readonly refuses: boolean;
}

/** Everything that the model holds; only the files of this folder touch it. */
export interface State {
  readonly clock: ModelClock;
  readonly random: () => number;
  readonly uid: () => string;
  rv: number;
  podSerial: number;
  readonly namespaces: Map<string, ModelNamespace>;
  readonly webhooks: Map<string, ModelWebhook>;
  /** What the istiods answer with, by revision. */
  readonly istiods: Map<string, IstiodTraits>;
  /** PEM: who signed the certificate of all istiods. */
  authority: string;
  readonly breakages: Set<Breakage>;
  /** Istio's definitions of WorkloadGroups and WorkloadEntries are installed. */
  servesVms: boolean;
  /** Argo's definition of Rollouts is installed. */
  servesRollouts: boolean;
  /** By `namespace/name`, the oldest first. */
  readonly events: Map<string, KubeEvent>;
  readonly watchers: Set<(event: ModelEvent) => void>;
  /** What controllers would have looked at meanwhile; undefined while kube-controller-manager runs. */
  stopped: Set<() => void> | undefined;
  history: Remembered[];
  readonly historyLimit: number;
  /** Watches from before this resourceVersion answer 410. */
  oldestRv: number;
}

/** Gives the object its next resourceVersion, remembers the event and tells the watchers. */
export function publish(state: State, type: ModelEvent["type"], object: ModelObject): void {
  object.rv = ++state.rv;
  if (type === "DELETED") object.deleted = true;
  const event = { type, rv: object.rv, object };
  state.history.push(type === "DELETED" ? { ...event, last: renderObject(object) } : event);
  // Trimmed in bulk, so that one event costs the same however long the history is.
  if (state.history.length > 2 * state.historyLimit) forget(state, state.historyLimit);
  for (const watcher of state.watchers) watcher(event);
}

/** Drops all remembered events but the newest `keep`; older watches and list pages are then expired. */
export function forget(state: State, keep: number): void {
  const dropped = state.history.length - keep;
  if (dropped > 0) state.oldestRv = state.history[dropped - 1]?.rv ?? state.rv;
  state.history = keep === 0 ? [] : state.history.slice(-keep);
}

/**
 * Events after `rv` for one watch, oldest first. Of an object that changed often only its newest event is told: its
 * older states are gone, and a watch may always be late.
 */
export function recall(
  state: State,
  rv: number,
): { readonly type: ModelEvent["type"]; readonly object: ModelObject; readonly body: ApiObject }[] {
  let low = 0;
  let high = state.history.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((state.history[middle]?.rv ?? 0) <= rv) low = middle + 1;
    else high = middle;
  }
  return state.history.slice(low).flatMap(({ type, object, rv: at, last }) => {
    if (last !== undefined) return [{ type, object, body: last }];
    return object.rv === at && !object.deleted ? [{ type, object, body: renderObject(object) }] : [];
  });
}
