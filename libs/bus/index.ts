export { BusRefused, BusUnavailable } from "./errors.ts";
export { type FoundInstallation, listInstallations } from "./buckets/list-installations.ts";
export { createLease, type Lease, type LeaseHolder, leaseTurnMs } from "./lease.ts";
export { type BusOptions, openBus } from "./installation/nats.ts";
export { type BusObserver, observeBus } from "./installation/observe-bus.ts";
export type { Bus, Delivery, Entry, KeyValue, KeyWatcher, WorkOutcome } from "./port.ts";
export { type BusTrouble, describeObstacle, printBusTrouble } from "./troubles.ts";
export { type BusProbe, probeBus } from "./installation/probe.ts";
