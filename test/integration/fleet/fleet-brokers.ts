import type { Broker } from "../../../scripts/brokers/broker.ts";

/** Brokers with logins for the cluster. */
export interface FleetBrokers {
  readonly redis: Pick<Broker, "findUrl">;
  readonly nats: Pick<Broker, "url" | "urlOf">;
}

/** A second installation on brokers that tests start with `other`. */
export const otherInstallation = "othermeshrol";
