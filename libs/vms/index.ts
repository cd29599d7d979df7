export {
  type JoinGrant,
  printCredential,
  printJoinToken,
  readCredential,
  readJoinToken,
  shortestVmKey,
  type VmCredential,
} from "./tokens/tokens.ts";
