export type { NewTag, TagOutcome, VmFleet, VmList } from "./port.ts";
