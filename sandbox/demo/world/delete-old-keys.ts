import { type KeyValue, openBus } from "#libs/bus";

import { demoInstallation } from "./users.ts";

async function listKeys(bucket: KeyValue): Promise<readonly string[]> {
  const stop = new AbortController();
  const keys: string[] = [];
  const watcher = {
    onEntry: ({ key, value }: { readonly key: string; readonly value?: string }) => {
      if (value !== undefined) keys.push(key);
    },
    onReady: () => undefined,
    onReset: () => undefined,
  };
  await bucket.watch(">", watcher, stop.signal);
  stop.abort();
  return keys;
}

/**
 * Deletes all keys of the demo's installation, which all demos share. On a shared NATS, a run would else wait for the clusters
 * of an earlier demo. Other installations are not touched.
 */
export async function deleteOldKeys(natsUrl: string): Promise<void> {
  const bus = await openBus({ url: natsUrl, installation: demoInstallation, name: "meshroll-demo" });
  try {
    for (const name of ["control", "status", "inventory", "vms"] as const) {
      const bucket = bus.bucket(name);
      for (const key of await listKeys(bucket)) await bucket.delete(key);
    }
  } finally {
    await bus.close();
  }
}
