import { isInstallationId } from "#libs/input";
import type { TlsMaterial } from "#libs/runtime";

import { createLink, type Session } from "../connection/link.ts";
import { retryCall } from "../connection/retry-call.ts";

/** An installation whose status bucket is on a server. */
export interface FoundInstallation {
  readonly id: string;
  /** The planner's last write, epoch ms of the server; absent = never, or the bucket was emptied. */
  readonly writtenAt?: number;
}

const prefix = "KV_status-";

async function listAll({ jsm }: Session): Promise<readonly FoundInstallation[]> {
  const found: FoundInstallation[] = [];
  for await (const { config, state } of jsm.streams.list()) {
    const id = config.name.startsWith(prefix) ? config.name.slice(prefix.length) : "";
    if (!isInstallationId(id)) continue;
    found.push(state.messages === 0 ? { id } : { id, writtenAt: Date.parse(state.last_ts) });
  }
  return found.toSorted((a, b) => (b.writtenAt ?? 0) - (a.writtenAt ?? 0));
}

/**
 * Installations with buckets on this server, the most recent writer first. Throws `BusUnavailable`, or `BusRefused` without the
 * right.
 */
export async function listInstallations(url: string, tls?: TlsMaterial): Promise<readonly FoundInstallation[]> {
  const link = createLink({ url, tls, name: "meshroll-list", onFault: () => undefined });
  try {
    // Reads several pages: an outage starts it again.
    return await retryCall(link, { what: "the list of installations", isRepeatable: true }, listAll);
  } finally {
    await link.close();
  }
}
