import type { Broker } from "../../../scripts/brokers/broker.ts";

/** Servers whose logins know the cluster. */
export interface FleetBrokers {
  readonly redis: Pick<Broker, "findUrl">;
  readonly nats: Pick<Broker, "url" | "urlOf">;
}

/** A second installation on the servers that tests start with `other`. */
export const otherInstallation = "othermeshrol";
