import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "@prometheus-io/client";

import { redactSecrets } from "../secrets/redact-secrets.ts";

type Labels = Readonly<Record<string, string>>;
/** One line: its labels and its value. */
export type MetricRow = readonly [Labels, number];

/** A counter. */
export interface Count {
  add(labels?: Labels, by?: number): void;
}

/** A gauge. */
export interface Level {
  set(value: number, labels?: Labels): void;
  /** Replaces all rows that were set before, so that rows of removed things disappear. */
  replace(rows: readonly MetricRow[]): void;
}

/** A histogram, in seconds. */
export interface Duration {
  observe(seconds: number, labels?: Labels): void;
}

/** The metrics of one process. Label values come from small closed sets: never a namespace, never a workload. */
export interface Metrics {
  count(name: string, help: string, labels?: readonly string[]): Count;
  level(name: string, help: string, labels?: readonly string[]): Level;
  /** `read` is called at each scrape. What is unknown has no row, because an unknown age is not 0. */
  ask(name: string, help: string, labels: readonly string[], read: () => readonly MetricRow[]): void;
  duration(name: string, help: string, labels?: readonly string[]): Duration;
  /** All metrics in Prometheus' text format. */
  print(): Promise<{ readonly type: string; readonly text: string }>;
}

/** From a reconcile of milliseconds to a batch of an hour. */
const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** Metrics of Node's own that are not published. */
const leftOut = ["nodejs_eventloop_utilization_summary", "nodejs_eventloop_utilization_histogram"] as const;

/** A registry with the metrics of the Node process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Node's event loop utilisation is observed once for each 100 ms since the last one: after a process was frozen for a day
  // that would take seconds. It cannot be left out, so its interval is made very long.
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: 2 ** 31 - 1 });
  for (const name of leftOut) registry.removeSingleMetric(name);
  return {
    count(name, help, labels = []) {
      const counter = new Counter({ name, help, labelNames: labels, registers });
      return { add: (values = {}, by = 1) => counter.inc(values, by) };
    },
    level(name, help, labels = []) {
      const gauge = new Gauge({ name, help, labelNames: labels, registers });
      return {
        set: (value, values = {}) => gauge.set(values, value),
        replace(rows) {
          gauge.reset();
          for (const [values, value] of rows) gauge.set(values, value);
        },
      };
    },
    ask(name, help, labels, read) {
      const gauge: Gauge<string> = new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        collect: () => {
          gauge.reset();
          // Without labels a reset would set the value to 0, which means "just now".
          if (labels.length === 0) gauge.remove({});
          for (const [values, value] of read()) gauge.set(values, value);
        },
      });
    },
    duration(name, help, labels = []) {
      const histogram = new Histogram({ name, help, labelNames: labels, buckets, registers });
      return { observe: (seconds, values = {}) => histogram.observe(values, seconds) };
    },
    async print() {
      // Label values may come from an API server or a queue, so they are redacted too.
      return { type: registry.contentType, text: redactSecrets(await registry.metrics()) };
    },
  };
}
