import type { WriteOutcome } from "#libs/kube";
import type { RecordedStop } from "#libs/plan";

import type { ClusterChoice } from "../options/cluster-choice.ts";

/** One cluster's answer to a stop that was written directly. */
export interface DirectStop {
  readonly cluster: string;
  /** Real ms; absent when it was not reached. */
  readonly afterMs?: number;
  /** Why it was not written. */
  readonly why?: string;
}

function explain(outcome: WriteOutcome): string | undefined {
  switch (outcome.kind) {
    case "written":
      return undefined;
    case "refused":
    case "unavailable":
      return outcome.why;
    case "conflict":
    case "gone":
      return `the API server answered ${outcome.kind}`;
  }
}

/**
 * Writes the stop's entry into the ConfigMap `meshroll-recorded-stops` of each cluster, with the caller's own rights: what
 * `pause` does while the bus is down (rules 7.4). The executor obeys it as soon as its watch shows it, and the planner
 * brings it to the ledger later.
 */
export async function stopClusters(
  choices: readonly ClusterChoice[],
  stop: RecordedStop,
  limitMs: number,
  onAnswer: (answer: DirectStop) => void,
): Promise<readonly DirectStop[]> {
  const { openCluster } = await import("#libs/kube");
  const { printRecordedStop } = await import("#libs/plan");
  const { systemClock } = await import("#libs/runtime");
  const entries = { [stop.id]: printRecordedStop(stop) };
  const startedAt = performance.now();
  return Promise.all(
    choices.map(async ({ name, context, path }) => {
      const kubeconfig = { ...(path === undefined ? {} : { path }), ...(context === undefined ? {} : { context }) };
      const cluster = openCluster({ name, kubeconfig, clock: systemClock() });
      const late: WriteOutcome = { kind: "unavailable", why: `no answer within ${limitMs / 1000} s` };
      const timeout = Promise.withResolvers<WriteOutcome>();
      const timer = setTimeout(() => timeout.resolve(late), limitMs);
      const why = explain(await Promise.race([cluster.recordStops(entries), timeout.promise]));
      clearTimeout(timer);
      const answer =
        why === undefined ? { cluster: name, afterMs: performance.now() - startedAt } : { cluster: name, why };
      onAnswer(answer);
      return answer;
    }),
  );
}
