import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";

/** A workload that a run failed to move or gave up: `workload` is `namespace/Kind/name`. */
export interface SkippedWorkload {
  readonly cluster: string;
  readonly workload: string;
}

const fullForm = /^[a-z0-9-]+:[^/]+\/(?:[A-Z]\w*\/[^/]+|\*)$/u;

/** The cluster before a colon, and the parts of the rest. */
function splitName(text: string): { readonly cluster?: string; readonly parts: readonly string[] } {
  const colon = text.indexOf(":");
  const parts = text.slice(colon + 1).split("/");
  return colon < 0 ? { parts } : { cluster: text.slice(0, colon), parts };
}

/** Accepts `namespace/Kind/name`, `namespace/name`, `Kind/name`, `name`, `namespace/*`, each with or without its cluster. */
function isMeant({ cluster, workload }: SkippedWorkload, text: string): boolean {
  const [namespace, kind, name] = workload.split("/");
  const typed = splitName(text);
  if (typed.cluster !== undefined && typed.cluster !== cluster) return false;
  const rest = typed.parts.join("/");
  return [workload, `${namespace}/${name}`, `${kind}/${name}`, name, `${namespace}/*`].includes(rest);
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
  return new Refusal(exitCodes.invalid, `no skipped workload of the run is called ${text}`, help);
}

/**
 * The names that a retry requests, `cluster:namespace/Kind/name`. A full name passes as it is: lists that people are shown
 * end, and the planner knows all. Where a namespace's own label decides, it was marked as one and is retried as one, so its
 * `cluster:namespace/*` goes along: it counts only where the namespace carries the mark.
 */
export function resolveWorkloads(typed: readonly string[], skipped: readonly SkippedWorkload[]): readonly string[] {
  const names = typed.flatMap((text) => {
    const found = skipped.filter((each) => isMeant(each, text));
    const isMany = text.endsWith("/*") && new Set(found.map(({ cluster }) => cluster)).size === 1;
    if (found.length === 1 || isMany) return found.map(nameInFleet);
    if (fullForm.test(text)) return [text];
    throw refuse(text, found, skipped);
  });
  const namespaces = names.map((name) => `${name.split("/", 1)[0]}/*`);
  return [...new Set([...names, ...namespaces])];
}
