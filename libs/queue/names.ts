import { isInstallationId } from "#libs/input";

/** The one job of a cluster's queue. */
export const jobId = "batch";

/**
 * Name of a cluster's queue in one installation: two of them may have a cluster of the same name. Cluster names are our own DNS
 * labels, so none holds the ":" that BullMQ refuses.
 */
export function nameQueue(installation: string, cluster: string): string {
  if (!isInstallationId(installation)) throw new TypeError(`"${installation}" is not the id of an installation`);
  if (!/^[a-z0-9-]+$/.test(cluster)) throw new TypeError(`"${cluster}" is not a cluster name: use [a-z0-9-]`);
  return `meshroll-${installation}-${cluster}`;
}

/** Server of a Redis URL for people: without who logs in. */
export function describeAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "an address that is no URL";
}
