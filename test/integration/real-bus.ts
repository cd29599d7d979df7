import type { Bench } from "#conformance/bus";
import { type Bus, openBus } from "#libs/bus";
import { JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { testInstallation } from "#libs/input";
import { onTestFinished } from "vitest";

import { useOwnBroker } from "./own-broker.ts";

const other = "othermeshrol";
const streamNotFound = 10059;

async function deleteOf(installation: string, nc: NatsConnection): Promise<void> {
  const jsm = await jetstreamManager(nc, { checkAPI: false });
  // Each is in its own account, so no list names them all.
  for (const name of ["MESHROLL", "KV_control", "KV_status", "KV_inventory", "KV_vms"]) {
    await jsm.streams.delete(`${name}-${installation}`).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError) || error.code !== streamNotFound) throw error;
    });
  }
}

/** A NATS server for one test file. */
export function useRealBus() {
  const server = useOwnBroker("nats", [], other);

  /** Runs a check on the server without our own code. */
  async function withServer<T>(look: (nc: NatsConnection) => Promise<T>, login = "operator"): Promise<T> {
    const { host, username: user, password: pass } = new URL(server().urlOf(login));
    const nc = await connect({ servers: host, user, pass, inboxPrefix: `_INBOX_${user}` });
    try {
      return await look(nc);
    } finally {
      await nc.close();
    }
  }

  async function deleteAll(): Promise<void> {
    await withServer(async (nc) => deleteOf(testInstallation, nc));
    await withServer(async (nc) => deleteOf(other, nc), `operator-of-${other}`);
  }

  async function makeFresh(): Promise<void> {
    await server().start();
    await deleteAll();
  }

  async function open(options: { readonly patient?: boolean } = {}): Promise<Bus> {
    const bus = await openBus({ installation: testInstallation, url: server().url, name: "test", ...options });
    onTestFinished(async () => bus.close());
    return bus;
  }

  async function makeBench(): Promise<Bench> {
    await makeFresh();
    return {
      open: async () => openBus({ installation: testInstallation, url: server().url, name: "test" }),
      openOther: async () =>
        openBus({ installation: other, url: server().urlOf(`operator-of-${other}`), name: "test" }),
      breakOff: async () => server().kill(),
      fix: async () => server().start(),
      write: async (bucket, key, value) =>
        withServer(async (nc) => {
          nc.publish(`$KV.${bucket}.${key}`, value);
          await nc.flush();
        }),
      wipe: deleteAll,
    };
  }

  return { server, withServer, makeFresh, open, makeBench };
}

/** The changes that a watcher of `control` received. */
export async function watchControl(bus: Bus): Promise<readonly string[]> {
  const calls: string[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const watcher = {
    onEntry: ({ key, value = "" }: { readonly key: string; readonly value?: string }) =>
      void calls.push(`${key}=${value}`),
    onReady: () => void calls.push("ready"),
    onReset: () => void calls.push("reset"),
  };
  await bus.bucket("control").watch(">", watcher, stop.signal);
  return calls;
}
