import type { ClusterFacts, NamespaceInventory } from "#libs/fleet";

/** A namespace whose value exceeds this is refused: the bus ends at 1 MiB (rules 9.2). */
export const inventoryLimitBytes = 512 * 1024;

const namePattern = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** True for a name that may stand in a key: our own DNS label, never a kubeconfig context (rules 9.1). */
export function isClusterName(name: string): boolean {
  return name.length <= 63 && namePattern.test(name);
}

/** Key of a namespace's value in KV `inventory`. */
export function nameNamespaceKey(cluster: string, namespace: string): string {
  return `${cluster}.${namespace}`;
}

/** Key of the cluster's own value. */
export function nameClusterKey(cluster: string): string {
  return `${cluster}._`;
}

/** Splits a key of KV `inventory`; `namespace` is absent for the cluster's own. */
export function readInventoryKey(key: string): { readonly cluster: string; readonly namespace?: string } | undefined {
  const dot = key.indexOf(".");
  if (dot < 1) return undefined;
  const cluster = key.slice(0, dot);
  const rest = key.slice(dot + 1);
  return rest === "_" ? { cluster } : { cluster, namespace: rest };
}

export function printNamespaceInventory(value: NamespaceInventory): string {
  return JSON.stringify({ version: 1, ...value });
}

export function printClusterFacts(value: ClusterFacts): string {
  return JSON.stringify({ version: 1, ...value });
}

function parseVersioned(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isOurs = typeof value === "object" && value !== null && "version" in value && value.version === 1;
    return isOurs ? (value as unknown as Record<string, unknown>) : undefined;
  } catch {
    // A torn or foreign value: the key counts as not published, so its cluster is not fresh and nobody moves there.
    return undefined;
  }
}

/** Our own executors write these values and version them; only the shape's head is checked, 240,000 of them replay at start. */
export function readNamespaceInventory(text: string): NamespaceInventory | undefined {
  const value = parseVersioned(text);
  return value !== undefined && Array.isArray(value["workloads"]) && typeof value["namespace"] === "object"
    ? (value as unknown as NamespaceInventory)
    : undefined;
}

export function readClusterFacts(text: string): ClusterFacts | undefined {
  const value = parseVersioned(text);
  return value !== undefined && typeof value["cluster"] === "string" && typeof value["stops"] === "object"
    ? (value as unknown as ClusterFacts)
    : undefined;
}
