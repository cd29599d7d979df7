export { createVirtualClock, type VirtualClock } from "./fake-clock.ts";
