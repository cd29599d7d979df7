export { cleanText } from "./clean-text.ts";
export { boundUntaken, boundWaiting } from "./http/bound-connections.ts";
export { AnswerTooLarge, collectBytes } from "./http/collect-bytes.ts";
export { createEvictingSet } from "./http/evict-oldest.ts";
export type { Clock } from "./clock.ts";
export type { Closers } from "./closers.ts";
export { ConfigProblems, type Problem } from "./config-problems.ts";
export { type GuardName, openGuards } from "./guards/open-guards.ts";
/** @internal For the tests that play each. */
export { guardNames } from "./guards/open-guards.ts";
export { installationVariable } from "./installation.ts";
export { createLogger, type Logger } from "./logger.ts";
export type { Count, Duration, Level, MetricRow, Metrics } from "./metrics.ts";
/** @internal Part of `createVitals`; alone only in tests. */
export { createMetrics } from "./metrics.ts";
export { openClock, refuseScaledClock } from "./open-clock.ts";
export { readConfig } from "./read-config.ts";
export { readableFile } from "./readable-file.ts";
export { readSecretFile } from "./secret-file.ts";
export { redactSecrets } from "./redact-secrets.ts";
export { runService } from "./run-service.ts";
export { RedactedError } from "./redacted-error.ts";
export { type Secret, secret, urlWithLogin } from "./secret.ts";
export { systemClock } from "./system-clock.ts";
export { natsTlsVariables, readTls, redisTlsVariables, type TlsMaterial } from "./tls.ts";
export { createVitals, healthVariables, openHealth, port, type Vitals } from "./vitals.ts";
