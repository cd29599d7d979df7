export { advanceRuns, listAwaited, listHeldRuns } from "./advance-runs.ts";
export { carryOutRequests, carryOutRetry } from "./carry-out-requests.ts";
export { nameRefusedReverts } from "./name-refused-reverts.ts";
