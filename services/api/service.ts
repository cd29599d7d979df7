import { type Bus, describeObstacle } from "#libs/bus";
import { isOfItsSubject } from "#libs/events";
import type { Clock, Logger, Vitals } from "#libs/runtime";

import { createCatchUp } from "./events/catch-up.ts";
import { type ApiServer, createServer } from "./create-server.ts";
import { createEventHub } from "./events/event-hub.ts";
import type { PageFiles } from "./page/read-page.ts";
import { followHistory } from "./status/follow-history.ts";
import { followNamespaces } from "./status/follow-namespaces.ts";
import { followPictures } from "./status/follow-pictures.ts";
import { followRuns } from "./status/follow-runs.ts";
import { followStatus } from "./status/follow-status.ts";
import { createHintSender } from "./hints/send-hints.ts";
import { followVms, type VmParts } from "./vms/vm-registry.ts";

export interface ApiOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly vitals: Vitals;
  readonly branch: string;
  readonly webhookSecrets: readonly string[];
  /** Keys of join tokens and credentials of VMs, the newest first; default: VMs cannot register. */
  readonly vmKeys?: readonly string[];
  /** Host names for browsers; default: addresses and names of a cluster only. */
  readonly names?: readonly string[];
  /** `off`: switched off by a person; absent: not built. */
  readonly page?: PageFiles | "off";
  /** Limits of `/v1/events`; for tests. */
  readonly mostReaders?: number;
  readonly mostPending?: number;
  readonly mostPendingInAll?: number;
}

/** Most readers of events, and how many bytes one of them and all together may be behind. */
const mostReaders = 1000;
const mostPending = 1 << 20;
const mostPendingInAll = 100 << 20;

export interface Api {
  readonly server: ApiServer;
  /** Serves until the signal aborts. */
  run(): Promise<void>;
}

/** Follows the VMs only where they can register: an installation without VMs needs no bucket for them. */
async function openVms(
  { bus, clock, log, vmKeys = [] }: ApiOptions,
  signal: AbortSignal,
): Promise<VmParts | undefined> {
  const [newest, ...older] = vmKeys;
  if (newest === undefined) return undefined;
  const registry = await followVms({ bus, bucket: bus.bucket("vms"), clock, log }, signal);
  return { keys: [newest, ...older], registry };
}

/** The api without its address. All it knows comes from the bus, and it stores nothing. */
export async function createApi(options: ApiOptions, signal: AbortSignal): Promise<Api> {
  const { bus, clock, log, vitals, branch, webhookSecrets } = options;
  const limits = {
    mostReaders: options.mostReaders ?? mostReaders,
    mostPending: options.mostPending ?? mostPending,
    mostPendingInAll: options.mostPendingInAll ?? mostPendingInAll,
  };
  const hub = createEventHub({ clock, log, metrics: vitals.metrics, ...limits });
  const status = await followStatus(bus.bucket("status"), clock, (text) => hub.show(text), signal);
  let stamp: string | undefined;
  const namespaces = await followNamespaces(bus.bucket("status"), (newest) => void (stamp = newest), signal);
  const history = await followHistory(bus.bucket("status"), signal);
  const pictures = await followPictures(bus.bucket("status"), signal);
  let runsStamp: string | undefined;
  const runs = await followRuns(bus.bucket("status"), (newest) => void (runsStamp = newest), signal);
  const vms = await openVms(options, signal);
  const catchUp = createCatchUp(bus, hub, log);
  const hear = (subject: string, body: string): void => {
    if (isOfItsSubject(subject, body)) hub.publish(body);
  };
  await bus.listen("meshroll.v1.>", hear, signal, catchUp.onReconnect);
  const hint = createHintSender({ bus, clock, log, metrics: vitals.metrics }, signal);
  const isBusConnected = () => bus.isConnected();
  const server = createServer({
    log,
    vitals,
    isBusConnected,
    findObstacle: () => describeObstacle(bus),
    status,
    namespaces,
    history,
    pictures,
    runs,
    hub,
    page: options.page,
    hint,
    names: new Set(options.names),
    branch,
    webhookSecrets,
    vms,
    now: () => clock.now(),
  });
  const onTurn = (): void => {
    vitals.pulse.beat();
    catchUp.readMissed();
  };
  const printPulse = (): string => {
    const age = status.ageSeconds();
    const log = history.log();
    return JSON.stringify({
      bus: isBusConnected(),
      ...(Number.isFinite(age) ? { ageSeconds: Math.round(age * 10) / 10 } : {}),
      ...(stamp === undefined ? {} : { namespaces: stamp }),
      ...(log === undefined ? {} : { history: log.stamp }),
      ...(runsStamp === undefined ? {} : { runs: runsStamp }),
    });
  };
  return { server, run: async () => hub.run(onTurn, printPulse, signal) };
}
