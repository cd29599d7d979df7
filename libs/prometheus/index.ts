export { openPrometheus, type PrometheusOptions } from "./http.ts";
export type { Prometheus, QueryAnswer } from "./port.ts";
export { openConfiguredPrometheus, prometheusVariables } from "./prometheus-config.ts";
