import { lookUp } from "#libs/input";
import type { Gate, GateMoment } from "#libs/campaign";

import { type LedgerState, parseTime, type Snapshot, type Spec, type StopRecord } from "../records/index.ts";
import { countRuns, type RunView } from "../index/index.ts";
import type { GateContext } from "./reading.ts";

/** Stops that this gate placed on the run, oldest first. */
function listGateStops(ledger: LedgerState, run: string, gate: string): readonly StopRecord[] {
  return Object.values(ledger.stops)
    .filter((stop) => stop.cause === "gate" && stop.scope === `run/${run}` && stop.gate === gate)
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

/** The stop that this gate placed on the run, while it is in force. */
export function findGateStop(ledger: LedgerState, run: string, gate: string): StopRecord | undefined {
  return listGateStops(ledger, run, gate).find(({ resume }) => resume === undefined);
}

/** The resume of the newest stop of this gate, if a person ended it. */
export function findResume(ledger: LedgerState, run: string, gate: string): StopRecord["resume"] {
  return listGateStops(ledger, run, gate).at(-1)?.resume;
}

/** The clusters with workloads of the run whose waves are open; before any is open, all. */
function listMeasuredClusters({ excludedClusters }: Spec["settings"], { run, clusters }: RunView): readonly string[] {
  const opened = [...clusters.keys()].filter((name) => lookUp(run.clusters, name) !== undefined);
  const concerned = opened.length === 0 ? [...clusters.keys()] : opened;
  return concerned.filter((name) => !excludedClusters.includes(name));
}

/** The facts for judging one gate of a run. */
export function buildGateContext(
  snapshot: Snapshot,
  ledger: LedgerState,
  head: Spec,
  view: RunView,
  moment: GateMoment,
  gate: Gate,
): GateContext {
  const names = listMeasuredClusters(head.settings, view);
  const clusters = names.map((name) => [name, snapshot.clusters.get(name)] as const);
  const resume = findResume(ledger, view.run.id, gate.name);
  return {
    snapshot,
    ledger,
    head,
    view: { run: view.run, clusters: new Map([...view.clusters].filter(([name]) => names.includes(name))) },
    workloads: countRuns([view]).workloads,
    moment,
    seen: clusters.flatMap(([, cluster]) => (cluster?.fresh === true ? [cluster] : [])),
    unseen: clusters.flatMap(([name, cluster]) => (cluster?.fresh === true ? [] : [name])),
    since: resume === undefined ? Number.NEGATIVE_INFINITY : parseTime(resume.at),
  };
}
