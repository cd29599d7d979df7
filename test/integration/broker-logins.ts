import { type Bus, openBus } from "#libs/bus";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { testInstallation } from "#libs/input";
import { onTestFinished } from "vitest";

import type { Broker } from "../../scripts/brokers/broker.ts";

/** Opens the bus with a login's rights, until the end of the test. */
export async function openAs(nats: Broker, login: string): Promise<Bus> {
  const bus = await openBus({ installation: testInstallation, url: nats.urlOf(login), name: `test-${login}` });
  onTestFinished(async () => bus.close());
  return bus;
}

/** Connects without our own code, so that the login can send anything. */
export async function dialAs(nats: Broker, login: string): Promise<NatsConnection> {
  const { host, username: user, password: pass } = new URL(nats.urlOf(login));
  const nc = await connect({ servers: host, user, pass, inboxPrefix: `_INBOX_${user}` });
  onTestFinished(async () => nc.close());
  return nc;
}
