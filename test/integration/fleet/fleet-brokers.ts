import { testInstallation } from "#libs/input";

import type { Broker } from "../../../scripts/brokers/broker.ts";

/** Servers whose logins know the cluster. */
export interface FleetBrokers {
  readonly redis: Pick<Broker, "findUrl">;
  readonly nats: Pick<Broker, "url" | "urlOf">;
  /** Whose logins these are; absent = the one of tests. */
  readonly installation?: string;
}

/** A second installation on the servers that tests start with `other`. */
export const otherInstallation = "othermeshrol";

export function readInstallation({ installation = testInstallation }: FleetBrokers): string {
  return installation;
}

/** The same servers with the logins of the second installation. */
export function takeOther({ redis, nats }: FleetBrokers): FleetBrokers {
  const name = (login: string): string => `${login}-of-${otherInstallation}`;
  return {
    redis: { findUrl: (login) => redis.findUrl(name(login)) },
    nats: { url: nats.urlOf(name("operator")), urlOf: (login) => nats.urlOf(name(login)) },
    installation: otherInstallation,
  };
}
