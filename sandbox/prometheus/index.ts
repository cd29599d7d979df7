export {
  type PrometheusFault,
  type PrometheusStandIn,
  startPrometheus,
  type PrometheusCall,
} from "./start-prometheus.ts";
