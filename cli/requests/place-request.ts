import { lookUp } from "#libs/input";
import type { Bus } from "#libs/bus";
import { nameAnswerKey, nameRequestKey, printRequest, readAnswer, type VerbAnswer } from "#libs/events";
import type { VerbRequest } from "#libs/plan";

import { type ClustersOnBus, followClusters, listConcerned } from "../read/read-clusters.ts";

/** What became of a verb, as far as it was seen before the time was over. */
export interface RequestOutcome {
  /** Clusters in whose ConfigMap the stop stands, in the order of time; `afterMs` since the verb was placed, real ms. */
  readonly stopped: readonly { readonly cluster: string; readonly afterMs: number }[];
  /** Clusters that should have, and did not. `seenAt`: when their API server last spoke, epoch ms. */
  readonly silent: readonly { readonly cluster: string; readonly seenAt: number }[];
  /** What the planner made of it; absent while no planner did. */
  readonly answer?: VerbAnswer;
  /** Why the planner's answer is not read: a build of another version gave it. What was asked may be done. */
  readonly unread?: string;
}

/** Told while it happens: a person in trouble must not wait for the last cluster to hear of the first. */
export interface RequestListener {
  onStopped(cluster: string, afterMs: number): void;
  onAnswer(answer: VerbAnswer, afterMs: number): void;
}

export interface RequestLimits {
  /** Clusters have to say that they are stopped. */
  readonly isStop: boolean;
  /** Real ms. */
  readonly timeoutMs: number;
}

/** The planner says that it stopped nothing: no cluster is waited for then. */
export function isRefused(answer: VerbAnswer | undefined): boolean {
  return answer?.outcome === "refused";
}

/** Places the verb on the bus and follows it until every concerned cluster answered, or the time is over. */
export async function placeRequest(
  bus: Bus,
  request: VerbRequest,
  limits: RequestLimits,
  listener: RequestListener,
): Promise<RequestOutcome> {
  const stop = new AbortController();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const stopped = new Map<string, number>();
  let placedAt = Number.POSITIVE_INFINITY;
  let answer: VerbAnswer | undefined;
  let unread: string | undefined;
  let clusters: ClustersOnBus | undefined;
  const elapsed = () => performance.now() - placedAt;

  const concerned = (): readonly string[] =>
    clusters === undefined ? [] : listConcerned(clusters.facts, request.scope);
  const look = (): void => {
    for (const [name, { stops }] of clusters?.facts ?? []) {
      if (stopped.has(name) || lookUp(stops.recorded, request.id) === undefined) continue;
      stopped.set(name, elapsed());
      listener.onStopped(name, elapsed());
    }
    const isComplete = concerned().every((name) => stopped.has(name));
    if (answer !== undefined && (isComplete || isRefused(answer))) end();
  };

  try {
    if (limits.isStop) clusters = await followClusters(bus, look, stop.signal);
    const watcher = {
      onEntry({ value }: { readonly value?: string }) {
        const read = value === undefined || answer !== undefined ? undefined : readAnswer(value);
        if (read === undefined) return;
        if (read.kind === "other") {
          // Clusters speak in that version, too: nothing more can be heard.
          unread = read.why;
          return end();
        }
        ({ answer } = read);
        listener.onAnswer(answer, elapsed());
        look();
      },
      onReady: () => undefined,
      onReset: () => undefined,
    };
    await bus.bucket("status").watch(nameAnswerKey(request.id), watcher, stop.signal);
    placedAt = performance.now();
    await bus.bucket("control").put(nameRequestKey(request.id), printRequest(request));
    const timer = setTimeout(end, limits.timeoutMs);
    await over;
    clearTimeout(timer);
  } finally {
    stop.abort();
  }
  const silent = isRefused(answer) ? [] : concerned().filter((name) => !stopped.has(name));
  return {
    stopped: [...stopped].map(([cluster, afterMs]) => ({ cluster, afterMs })),
    silent: silent.map((cluster) => ({ cluster, seenAt: clusters?.facts.get(cluster)?.seenAt ?? 0 })),
    ...(answer === undefined ? {} : { answer }),
    ...(unread === undefined ? {} : { unread }),
  };
}
