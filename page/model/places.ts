import { findNamed, findRunNamed } from "#libs/input";

/** The parts of a workload's name `cluster:namespace/Kind/name`; missing ones are empty. */
export function splitWorkload(name: string): {
  readonly cluster: string;
  readonly namespace: string;
  readonly rest: string;
} {
  const colon = name.indexOf(":");
  const [namespace = "", ...rest] = name.slice(colon + 1).split("/");
  return { cluster: colon < 0 ? "" : name.slice(0, colon), namespace, rest: rest.join("/") };
}

/** The address of a namespace's own view. */
export function linkNamespace(name: string): string {
  return `/namespaces/${encodeURIComponent(name)}`;
}

/** The address of a run's own view. */
export function linkRun(id: string): string {
  return `/runs/${encodeURIComponent(id)}`;
}

/** The address of the history, or of its part that is about this scope. */
export function linkHistory(subject = ""): string {
  return subject === "" ? "/history" : `/history?subject=${encodeURIComponent(subject)}`;
}

/** The address of what a scope names: a run and a namespace have a view, of others there is the history. */
export function linkScope(scope: string): string {
  const [run, namespace] = [findRunNamed(scope), findNamed("namespace", scope)];
  if (run !== undefined) return linkRun(run);
  return namespace === undefined ? linkHistory(scope) : linkNamespace(namespace);
}

/** The address of the start page as it was at a moment, ISO. */
export function linkMoment(at: string): string {
  return `/?at=${encodeURIComponent(at)}`;
}
