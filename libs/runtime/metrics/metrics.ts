import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "@prometheus-io/client";

import { redactSecrets } from "../secrets/redact-secrets.ts";

type Labels = Readonly<Record<string, string>>;
/** One line: its labels and its value. */
export type MetricRow = readonly [Labels, number];

/** Only goes up. */
export interface Count {
  add(labels?: Labels, by?: number): void;
}

/** Goes up and down. */
export interface Level {
  set(value: number, labels?: Labels): void;
  /** Takes the place of everything that was set before: what is gone must not stand there for ever. */
  replace(rows: readonly MetricRow[]): void;
}

/** How long things take, seconds. */
export interface Duration {
  observe(seconds: number, labels?: Labels): void;
}

/** What one process counts about itself. Label values come from small closed sets: never a namespace, never a workload. */
export interface Metrics {
  count(name: string, help: string, labels?: readonly string[]): Count;
  level(name: string, help: string, labels?: readonly string[]): Level;
  /** Asked for at each reconcile; no line for what is not known, because an unknown age is not 0. */
  ask(name: string, help: string, labels: readonly string[], read: () => readonly MetricRow[]): void;
  duration(name: string, help: string, labels?: readonly string[]): Duration;
  /** All of it in Prometheus' text format. */
  print(): Promise<{ readonly type: string; readonly text: string }>;
}

/** From a reconcile of milliseconds to a batch of an hour. */
const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** What of the Node process' own metrics is not published. */
const leftOut = ["nodejs_eventloop_utilization_summary", "nodejs_eventloop_utilization_histogram"] as const;

/** An empty list of metrics of its own, with those of the Node process itself. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Its event loop utilisation observes once for each 100 ms that have passed since it was last awake: a process that was
  // frozen for a day would be busy with that for seconds instead of with the fleet. It cannot be left out, only never be due.
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
          // Without labels a reset makes it 0, which would say "just now".
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
      // Label values may come from an API server or a queue: what is secret must not leave here either.
      return { type: registry.contentType, text: redactSecrets(await registry.metrics()) };
    },
  };
}
