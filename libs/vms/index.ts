export type { NewTag, TagOutcome, VmFleet, VmList } from "./port.ts";
export { type VmFleetKind, type VmFleetOptions, openVmFleet } from "./opening/open-vm-fleet.ts";
export {
  type JoinGrant,
  printCredential,
  printJoinToken,
  readCredential,
  readJoinToken,
  shortestVmKey,
  type VmCredential,
} from "./tokens/tokens.ts";
