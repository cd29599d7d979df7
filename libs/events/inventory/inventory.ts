import type { ClusterFacts, NamespaceInventory } from "#libs/fleet";
import { formatVersion, isLabelName, readVersion, refuseFormat } from "#libs/input";

import { areFactsOf, isInventoryOf } from "./inventory-forms.ts";

/** Larger values of a namespace are refused; the bus takes less than 1 MiB (rules 9.2). */
export const inventoryLimitBytes = 512 * 1024;

const namePattern = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** Whether a name can be a cluster's in a key: a DNS label, not a kubeconfig context (rules 9.1). */
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

/** Splits a key of KV `inventory`; `namespace` is absent for the cluster's own key. Undefined for a foreign key. */
export function readInventoryKey(key: string): { readonly cluster: string; readonly namespace?: string } | undefined {
  const dot = key.indexOf(".");
  if (dot < 1) return undefined;
  const cluster = key.slice(0, dot);
  const rest = key.slice(dot + 1);
  if (!isLabelName(cluster)) return undefined;
  if (rest === "_") return { cluster };
  return isLabelName(rest) ? { cluster, namespace: rest } : undefined;
}

export function printNamespaceInventory(value: NamespaceInventory): string {
  return JSON.stringify({ version: formatVersion, ...value });
}

export function printClusterFacts(value: ClusterFacts): string {
  return JSON.stringify({ version: formatVersion, ...value });
}

function parseVersioned(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return refuseFormat(readVersion(value)) === undefined ? value : undefined;
  } catch {
    // A torn or foreign value counts as not published, so the cluster is not fresh and nothing moves there.
    return undefined;
  }
}

/** The value of a namespace's key; undefined for anything but the inventory of this namespace. */
export function readNamespaceInventory(namespace: string, text: string): NamespaceInventory | undefined {
  const value = parseVersioned(text);
  return isInventoryOf(namespace, value) ? value : undefined;
}

/** The value of a cluster's own key; undefined for anything but the facts of this cluster. */
export function readClusterFacts(cluster: string, text: string): ClusterFacts | undefined {
  const value = parseVersioned(text);
  return areFactsOf(cluster, value) ? value : undefined;
}
