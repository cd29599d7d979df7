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
