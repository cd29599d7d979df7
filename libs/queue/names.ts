import { isInstallationId } from "#libs/input";

/** The id of the only job in a cluster's queue. */
export const jobId = "batch";

/**
 * A cluster's queue in one installation; other installations may have a cluster of the same name. Cluster names are DNS labels,
 * so they do not contain the ":" that BullMQ refuses.
 */
export function nameQueue(installation: string, cluster: string): string {
  if (!isInstallationId(installation)) throw new TypeError(`"${installation}" is not the id of an installation`);
  if (!/^[a-z0-9-]+$/.test(cluster)) throw new TypeError(`"${cluster}" is not a cluster name: use [a-z0-9-]`);
  return `meshroll-${installation}-${cluster}`;
}

/** The server of a Redis URL for people, without its login. */
export function describeAddress(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "an address that is no URL";
}
