import { coversOneOf, findRunNamed, findShareCluster } from "#libs/input";
import type { FleetStatus } from "#libs/plan";

import type { MoveOutlook } from "./move-outlook.ts";
import type { NamespaceLine } from "./namespace-view.ts";
import { splitWorkload } from "./places.ts";

type Wait = FleetStatus["waiting"][number];
type Stop = FleetStatus["stops"][number];

/** Runs that may move it: those of its campaign, else those of none. */
function listRuns({ campaigns = [], runs }: FleetStatus, { campaign }: MoveOutlook): readonly string[] {
  if (campaign !== undefined) return campaign.runs;
  const others = new Set(campaigns.flatMap((each) => each.runs));
  return runs.map(({ id }) => id).filter((id) => !others.has(id));
}

/** True for a scope of everything, or of one of the things that a namespace is part of. */
function coversIt(
  scope: string,
  { name, bucket, clusters }: NamespaceLine,
  runs: readonly string[],
  campaign: string | undefined,
): boolean {
  const [run, cluster] = [findRunNamed(scope), findShareCluster(scope)];
  if (run !== undefined) return runs.includes(run) && (cluster === undefined || clusters.includes(cluster));
  const names = { namespace: [name], bucket: [bucket], cluster: clusters };
  return coversOneOf(scope, campaign === undefined ? names : { ...names, campaign: [campaign] });
}

/** What holds up a namespace's move; nothing does where no move is to come. */
export function listConcerning(
  fleet: FleetStatus,
  line: NamespaceLine,
  outlook: MoveOutlook,
): { readonly waits: readonly Wait[]; readonly stops: readonly Stop[] } {
  if (outlook.kind === "moved") return { waits: [], stops: [] };
  const runs = listRuns(fleet, outlook);
  const covers = (scope: string) => coversIt(scope, line, runs, outlook.campaign?.name);
  const waits = fleet.waiting.filter(({ scope }) => covers(scope));
  const told = new Set(waits.flatMap(({ command, choices = [] }) => [command, ...choices.map((each) => each.command)]));
  const stops = fleet.stops.filter(
    ({ scope, foundIn, command }) =>
      covers(scope) && (foundIn === undefined || line.clusters.includes(foundIn)) && !told.has(command),
  );
  return { waits, stops };
}

/** The workloads of a namespace in a list; `isCut`: the status has more than it lists, so that one of it may lack. */
export function pickOwn<T extends { readonly workload: string }>(
  name: string,
  { count, items }: { readonly count: number; readonly items: readonly T[] },
): { readonly own: readonly T[]; readonly isCut: boolean } {
  const own = items.filter(({ workload }) => splitWorkload(workload).namespace === name);
  return { own, isCut: count > items.length };
}
