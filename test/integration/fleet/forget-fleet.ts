import type { Bus } from "#libs/bus";

/** Removes what the last fleet left on a shared bus: to the next one it would be another cluster of the same installation. */
export async function forgetFleet(bus: Bus): Promise<void> {
  await bus.bucket("control").delete("state");
  await bus.bucket("status").delete("fleet");
  const inventory = bus.bucket("inventory");
  const keys: string[] = [];
  const stop = new AbortController();
  const ready = Promise.withResolvers<void>();
  const watcher = {
    onEntry: ({ key, value }: { readonly key: string; readonly value?: string }) => {
      if (value !== undefined) keys.push(key);
    },
    onReady: () => ready.resolve(),
    onReset: () => keys.splice(0),
  };
  await inventory.watch(">", watcher, stop.signal);
  await ready.promise;
  stop.abort();
  for (const key of keys) await inventory.delete(key);
}
