import { completeName, namesWorkload, readNamespaceName } from "#libs/input";
import { quoteForShell } from "#libs/wording";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** A workload that a run failed to move or gave up: `workload` is `namespace/Kind/name`. */
export interface SkippedWorkload {
  readonly cluster: string;
  readonly workload: string;
}

/** By its own name in any form. */
function isMeant({ cluster, workload }: SkippedWorkload, text: string): boolean {
  const [namespace = "", kind = "", name = ""] = workload.split("/");
  return namesWorkload(text, { cluster, namespace, kind, name });
}

/** By its namespace, perhaps in one cluster. */
function isInNamed({ cluster, workload }: SkippedWorkload, text: string): boolean {
  const place = readNamespaceName(text);
  if (place === undefined || !workload.startsWith(`${place.namespace}/`)) return false;
  return place.cluster === undefined || place.cluster === cluster;
}

function nameInFleet({ cluster, workload }: SkippedWorkload): string {
  return `${cluster}:${workload}`;
}

function refuse(text: string, found: readonly SkippedWorkload[], skipped: readonly SkippedWorkload[]): Refusal {
  if (found.length > 1) {
    const names = found.slice(0, 10).map(nameInFleet);
    return new Refusal(exitCodes.usage, `${text} may be any of ${found.length}: say which`, names.join("\n"));
  }
  const known = skipped.slice(0, 10).map(nameInFleet);
  const more = skipped.length > 10 ? [`… and ${skipped.length - 10} more`] : [];
  const help = skipped.length === 0 ? "it has no skipped workloads" : ["skipped:", ...known, ...more].join("\n  ");
  return new Refusal(exitCodes.invalid, `no skipped workload of the run is called ${text}`, help, [
    "what differs from main and did not fail:  ",
    { command: `meshroll converge ${quoteForShell(text)} --reason "…"` },
  ]);
}

/**
 * The names that a retry requests, `cluster:namespace/Kind/name`. A full name passes as it is: lists that people are shown
 * end, and the planner knows all. Where a namespace's own label decides, it was marked as one and is retried as one, so its
 * `cluster:namespace/*` goes along: it counts only where the namespace carries the mark.
 */
export function resolveWorkloads(typed: readonly string[], skipped: readonly SkippedWorkload[]): readonly string[] {
  const names = typed.flatMap((text) => {
    const own = skipped.filter((each) => isMeant(each, text));
    if (own.length === 1) return own.map(nameInFleet);
    const inNamed = own.length === 0 ? skipped.filter((each) => isInNamed(each, text)) : [];
    if (new Set(inNamed.map(({ cluster }) => cluster)).size === 1) return inNamed.map(nameInFleet);
    const full = completeName(text);
    if (full !== undefined) return [full];
    throw refuse(text, own.length === 0 ? inNamed : own, skipped);
  });
  const namespaces = names.map((name) => `${name.split("/", 1)[0]}/*`);
  return [...new Set([...names, ...namespaces])];
}
