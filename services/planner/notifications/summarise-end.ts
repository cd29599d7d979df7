import type { EventData } from "#libs/events";
import type { RunRecord } from "#libs/plan";
import { groupReasons } from "#libs/wording";

type EndSummary = Required<Pick<EventData<"runDone">, "clusters" | "reasons">> &
  Pick<EventData<"runDone">, "differences">;

/** So many workloads are named for each reason; the counts are whole, and the ledger names them all. */
const named = 10;

/** The same cause in one group, the commonest first. */
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

interface Named {
  readonly cluster: string;
  readonly workload: string;
}

function nameOne({ cluster, workload }: Named): string {
  return `${cluster}:${workload}`;
}

/** Only a run with a list has any; with one that was carried out to the letter there are none. */
function summariseDifferences({ outcome }: RunRecord): Pick<EndSummary, "differences"> {
  if (outcome?.differences === undefined) return {};
  const differences = groupBy(outcome.differences, ({ why }) => why, nameOne).map(([why, workloads]) => {
    return { why, count: workloads.length, workloads: workloads.slice(0, named) };
  });
  return { differences };
}

/** How a run ended, for the message `run.v1.done`: what is skipped, by cluster and by reason, the commonest first. */
export function summariseEnd(run: RunRecord): EndSummary {
  const { outcome } = run;
  const skipped = outcome?.skipped ?? [];
  const clusters = (outcome?.seen ?? []).map((name) => {
    const here = skipped.filter(({ cluster }) => cluster === name);
    return { name, skipped: here.length, failed: here.filter(({ failed }) => failed === true).length };
  });
  const reasons = groupReasons(skipped, named);
  return { clusters, reasons, ...summariseDifferences(run) };
}
