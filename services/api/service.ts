import { type Bus, describeObstacle } from "#libs/bus";
import { isOfItsSubject } from "#libs/events";
import type { Clock, Logger, Vitals } from "#libs/runtime";

import { createCatchUp } from "./events/catch-up.ts";
import { type ApiServer, createServer } from "./create-server.ts";
import { createEventHub } from "./events/event-hub.ts";
import { followStatus } from "./status/follow-status.ts";
import { createHintSender } from "./hints/send-hints.ts";

export interface ApiOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly vitals: Vitals;
  readonly branch: string;
  readonly webhookSecrets: readonly string[];
  /** Limits of `/v1/events`; for tests. */
  readonly mostReaders?: number;
  readonly mostPending?: number;
}

/** How many readers of events one process serves, and how far, in bytes, each may stay behind. */
const mostReaders = 100;
const mostPending = 1 << 20;

export interface Api {
  readonly server: ApiServer;
  /** Serves until the signal aborts. */
  run(): Promise<void>;
}

/** The api without its address: everything it knows it has from the bus, and it remembers nothing. */
export async function createApi(options: ApiOptions, signal: AbortSignal): Promise<Api> {
  const { bus, clock, log, vitals, branch, webhookSecrets } = options;
  const limits = {
    mostReaders: options.mostReaders ?? mostReaders,
    mostPending: options.mostPending ?? mostPending,
  };
  const hub = createEventHub({ clock, metrics: vitals.metrics, ...limits });
  const status = await followStatus(bus.bucket("status"), clock, (text) => hub.show(text), signal);
  const catchUp = createCatchUp(bus, hub, log);
  const hear = (subject: string, body: string): void => {
    if (isOfItsSubject(subject, body)) hub.tell(body);
  };
  await bus.listen("meshroll.v1.>", hear, signal, catchUp.onBack);
  const hint = createHintSender({ bus, clock, log, metrics: vitals.metrics }, signal);
  const isBusConnected = () => bus.isConnected();
  const server = createServer({
    log,
    vitals,
    isBusConnected,
    findObstacle: () => describeObstacle(bus),
    status,
    hub,
    hint,
    branch,
    webhookSecrets,
  });
  const onTurn = (): void => {
    vitals.pulse.beat();
    catchUp.look();
  };
  return { server, run: async () => hub.run(onTurn, signal) };
}
