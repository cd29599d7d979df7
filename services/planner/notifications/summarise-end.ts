import type { EventData } from "#libs/events";
import { lookUp } from "#libs/input";
import type { RunRecord } from "#libs/plan";
import { groupReasons } from "#libs/wording";

type EndSummary = Required<Pick<EventData<"runDone">, "clusters" | "reasons">> &
  Pick<EventData<"runDone">, "differences">;

/** How many workloads are named for each reason; the counts are complete, and the ledger names all. */
const mostNamed = 10;

/** Groups by name, the largest group first. */
function groupBy<T>(
  all: readonly T[],
  nameOf: (each: T) => string,
  show: (each: T) => string,
): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const each of all) {
    const name = nameOf(each);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(show(each));
  }
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length);
}

interface WorkloadName {
  readonly cluster: string;
  readonly workload: string;
}

function nameOne({ cluster, workload }: WorkloadName): string {
  return `${cluster}:${workload}`;
}

/** Empty for a run without a list, and for one that was carried out exactly as listed. */
function summariseDifferences({ outcome }: RunRecord): Pick<EndSummary, "differences"> {
  if (outcome?.differences === undefined) return {};
  const differences = groupBy(outcome.differences, ({ why }) => why, nameOne).map(([why, workloads]) => {
    return { why, count: workloads.length, workloads: workloads.slice(0, mostNamed) };
  });
  return { differences };
}

/**
 * How a run ended, for the message `run.v1.done`: what was skipped, by cluster and by reason, the most frequent reason first.
 */
export function summariseEnd(run: RunRecord): EndSummary {
  const { outcome } = run;
  const skipped = outcome?.skipped ?? [];
  const clusters = (outcome?.seen ?? []).map((name) => {
    const here = skipped.filter(({ cluster, neighbour }) => cluster === name && neighbour !== true);
    const earlier = lookUp(outcome?.earlier ?? {}, name) ?? 0;
    return { name, skipped: here.length + earlier, failed: here.filter(({ failed }) => failed === true).length };
  });
  const reasons = groupReasons(skipped, mostNamed);
  return { clusters, reasons, ...summariseDifferences(run) };
}
