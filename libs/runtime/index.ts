export type { Clock } from "./clock.ts";
export { ConfigProblems, type Problem } from "./config-problems.ts";
export { createLogger, type Logger } from "./logger.ts";
export { openClock, refuseScaledClock } from "./open-clock.ts";
export { readConfig } from "./read-config.ts";
export { runService } from "./run-service.ts";
export { type Secret, secret } from "./secret.ts";
export { systemClock } from "./system-clock.ts";
