import { findNamed } from "#libs/input";
import { type FleetStatus, isPlacedByMeshroll } from "#libs/plan";
import { nameResumeVerb } from "#libs/wording";

import type { Sentence } from "../terminal/sentence.ts";
import type { OpenStop } from "./find-resumed.ts";

type Share = FleetStatus["runs"][number]["clusters"][number];

/** The shares of runs that the stop holds back, as far as the status counts them; not for buckets and namespaces. */
function listKept({ runs }: FleetStatus, { scope }: OpenStop): readonly Share[] {
  const run = findNamed("run", scope);
  const cluster = findNamed("cluster", scope);
  const meant = runs.filter(({ id }) => run === undefined || id === run);
  return meant
    .flatMap(({ clusters }) => clusters)
    .filter((share) => cluster === undefined || share.cluster === cluster);
}

/** Workloads by cluster, the most first. */
function countDue(shares: readonly Share[]): readonly (readonly [cluster: string, due: number])[] {
  const due = new Map<string, number>();
  for (const { cluster, pending, waiting } of shares) {
    if (pending + waiting > 0) due.set(cluster, (due.get(cluster) ?? 0) + pending + waiting);
  }
  return [...due].toSorted((a, b) => b[1] - a[1]);
}

/** The number of clusters that are named. */
const shown = 6;

/** What moves once a stop that meshroll placed has ended; waves, windows or other stops may still hold some. */
function previewResume(stop: OpenStop, status: FleetStatus | undefined): readonly Sentence[] {
  if (status === undefined) return ["  ! the workloads that move then are unknown: no planner has published"];
  const due = countDue(listKept(status, stop));
  const total = due.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return ["  then nothing moves at once: no workload is pending"];
  const names = due.slice(0, shown).map(([cluster, count]) => `${count} in ${cluster}`);
  const more = due.length > shown ? `, and ${due.length - shown} more clusters` : "";
  const workloads = `${total} workload${total === 1 ? "" : "s"}`;
  const clusters = `${due.length} cluster${due.length === 1 ? "" : "s"}`;
  return [`  then ${workloads} in ${clusters} will be tried again: ${names.join(", ")}${more}`];
}

/** The same for several stops; two on one scope hold the same workloads back. */
export function previewAll(stops: readonly OpenStop[], status: FleetStatus | undefined): readonly Sentence[] {
  const first = stops.filter(({ scope }, at) => stops.findIndex((other) => other.scope === scope) === at);
  return first.flatMap((stop) => previewResume(stop, status));
}

/** Other stops on the same scope, each with the command that ends it. */
export function listStaying(resumed: readonly OpenStop[], known: readonly OpenStop[]): readonly Sentence[] {
  const verbs = new Set(resumed.map(nameResumeVerb));
  const staying = known.filter(
    (stop) =>
      !resumed.includes(stop) &&
      stop.id !== "kubectl" &&
      verbs.has(nameResumeVerb(stop)) &&
      resumed.some(({ scope }) => scope === stop.scope),
  );
  return staying.map((stop) => {
    const verb = nameResumeVerb(stop);
    const kind = verb === "unhold" ? "hold" : "pause";
    const whose = isPlacedByMeshroll(stop) ? `meshroll's own ${kind}` : `the ${kind} of ${stop.who}`;
    const command = `meshroll ${verb} --id ${stop.id} --reason "…"`;
    return [`  ${whose} ${stop.id} stays:  `, { command }];
  });
}
