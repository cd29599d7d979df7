/** @internal Told apart by tests. */
export { AskFailed, BusRefused, BusUnavailable } from "./errors.ts";
export { type BusOptions, openBus } from "./nats.ts";
export type { Bus, Entry, KeyValue, KeyWatcher } from "./port.ts";
export { type BusProbe, probeBus } from "./probe.ts";
