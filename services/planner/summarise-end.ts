import type { EventData } from "#libs/events";
import type { RunRecord } from "#libs/plan";

type EndSummary = Required<Pick<EventData<"runDone">, "clusters" | "reasons">>;

/** So many workloads are named for each reason; the counts are whole, and the ledger names them all. */
const named = 10;

/** Our own failure, as a mark reads: `ReadinessTimeout at 2026-11-21T13:18:56.537Z`. */
const failure = /^[A-Z]\w+ at \d{4}-\d\d-\d\dT/;

/** Reasons of many workloads differ by their time only. */
function nameReason(reason: string): string {
  return reason.replace(/ at \d{4}-\d\d-\d\dT\S+/, "");
}

/** How a run ended, for the message `run.v1.done`: what is aside, by cluster and by reason, the commonest first. */
export function summariseEnd({ outcome }: RunRecord): EndSummary {
  const aside = outcome?.aside ?? [];
  const clusters = (outcome?.seen ?? []).map((name) => {
    const here = aside.filter(({ cluster }) => cluster === name);
    return { name, aside: here.length, failed: here.filter(({ reason }) => failure.test(reason)).length };
  });
  const groups = new Map<string, string[]>();
  for (const { cluster, workload, reason } of aside) {
    const name = nameReason(reason);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(`${cluster}:${workload}`);
  }
  const reasons = [...groups]
    .map(([reason, workloads]) => ({ reason, count: workloads.length, workloads: workloads.slice(0, named) }))
    .toSorted((a, b) => b.count - a.count);
  return { clusters, reasons };
}
