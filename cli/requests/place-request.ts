import { lookUp } from "#libs/input";
import type { Bus } from "#libs/bus";
import { nameAnswerKey, nameRequestKey, printRequest, readAnswer, type VerbAnswer } from "#libs/events";
import type { VerbRequest } from "#libs/plan";

import { type ClustersOnBus, followClusters, listConcerned } from "../read/bus/read-clusters.ts";

/** What became of a verb within the time limit. */
export interface RequestOutcome {
  /** Clusters whose ConfigMap has the stop, in order of time; `afterMs` since the verb was placed, real ms. */
  readonly stopped: readonly { readonly cluster: string; readonly afterMs: number }[];
  /** Concerned clusters that did not acknowledge. `seenAt`: when their API server last spoke, epoch ms. */
  readonly silent: readonly { readonly cluster: string; readonly seenAt: number }[];
  /** The planner's answer; absent while there is none. */
  readonly answer?: VerbAnswer;
  /** Why the answer cannot be read: another version wrote it. The verb may have been carried out. */
  readonly unread?: string;
}

/** Called for each acknowledgement, so that a person sees the first before the last. */
export interface RequestListener {
  onStopped(cluster: string, afterMs: number): void;
  onAnswer(answer: VerbAnswer, afterMs: number): void;
}

export interface RequestLimits {
  /** Clusters have to acknowledge it. */
  readonly isStop: boolean;
  /** Real ms. */
  readonly timeoutMs: number;
}

/** The planner refused the stop, so that no cluster is waited for. */
export function isRefused(answer: VerbAnswer | undefined): boolean {
  return answer?.outcome === "refused";
}

/** Places the verb on the bus and follows it until all concerned clusters answered, or the time is over. */
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
  const noteStopped = (): void => {
    for (const [name, { stops }] of clusters?.facts ?? []) {
      if (stopped.has(name) || lookUp(stops.recorded, request.id) === undefined) continue;
      stopped.set(name, elapsed());
      listener.onStopped(name, elapsed());
    }
    const isComplete = concerned().every((name) => stopped.has(name));
    if (answer !== undefined && (isComplete || isRefused(answer))) end();
  };

  try {
    if (limits.isStop) clusters = await followClusters(bus, noteStopped, stop.signal);
    const watcher = {
      onEntry({ value }: { readonly value?: string }) {
        const read = value === undefined || answer !== undefined ? undefined : readAnswer(value);
        if (read === undefined) return;
        if (read.kind === "other") {
          // Clusters use that version, too, so no further answer can be read.
          unread = read.why;
          return end();
        }
        ({ answer } = read);
        listener.onAnswer(answer, elapsed());
        noteStopped();
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
