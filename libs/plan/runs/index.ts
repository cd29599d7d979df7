export { advanceRuns, listAwaited, listHeldRuns } from "./advance-runs.ts";
export { carryOutConverge } from "./converge/carry-out-converge.ts";
export { convergeByItself } from "./converge/converge-by-itself.ts";
export { findInsisting, findUndoing } from "./converge/insisting.ts";
export { readMark } from "./taken-back.ts";
export { carryOutRequests, carryOutRetry } from "./carry-out-requests.ts";
export { nameRefusedReverts } from "./name-refused-reverts.ts";
