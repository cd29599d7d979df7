export { askUrl } from "./http/ask-url.ts";
export { boundUntaken, boundWaiting } from "./http/bound-connections.ts";
export { AnswerTooLarge, collectBytes } from "./http/collect-bytes.ts";
export { createEvictingSet } from "./http/evict-oldest.ts";
export { type ChangeSignal, createChangeSignal } from "./clock/change-signal.ts";
export { type Clock, systemClock } from "./clock/clock.ts";
export type { Closers } from "./service/closers.ts";
export { ConfigProblems, type Problem } from "./config/config-problems.ts";
export { installationVariable, readConfig, readableFile } from "./config/read-config.ts";
export { createLogger, type Logger } from "./log/logger.ts";
export type { Count, Duration, Level, MetricRow, Metrics } from "./metrics/metrics.ts";
/** @internal Part of `createVitals`; alone only in tests. */
export { createMetrics } from "./metrics/metrics.ts";
export { doEach } from "./service/do-each.ts";
export { openClock, refuseScaledClock } from "./clock/open-clock.ts";
export {
  AdapterError,
  AdapterRefused,
  AdapterUnavailable,
  cleanText,
  RedactedError,
  redactJson,
  redactSecrets,
} from "./secrets/redact-secrets.ts";
export { runService } from "./service/run-service.ts";
export { noteExpiringSecret, readSecretFile, type Secret, secret, urlWithLogin } from "./secrets/secret.ts";
export type { Token, TokenSource } from "./secrets/token-source.ts";
export { natsTlsVariables, readTls, redisTlsVariables, type TlsMaterial } from "./config/tls.ts";
export { createVitals, healthVariables, openHealth, port, type Vitals } from "./service/vitals.ts";
