import { describePrometheus, type Planting } from "#conformance/prometheus";
import { openPrometheus, type Prometheus } from "#libs/prometheus";

import { findFreePort } from "../../scripts/brokers/free-port.ts";
import type { Series } from "./series.ts";
import { type RealPrometheus, startRealPrometheus } from "./start-real-prometheus.ts";

/** Younger than the five minutes for which a sample counts, and older than all times that the suite queries, ms. */
const sampleAgeMs = 240_000;

function makeSeries({ metric, labels, series, at, from }: Planting): readonly Series[] {
  return series.map((value, index) => ({
    metric,
    labels: { ...labels, series: String(index) },
    samples: [[from ?? at - sampleAgeMs, value]],
  }));
}

/** Merges the samples of equal series, oldest first. */
function mergeSeries(all: readonly Series[]): readonly Series[] {
  const merged = new Map<string, Series>();
  for (const each of all) {
    const key = JSON.stringify([each.metric, each.labels]);
    const known = merged.get(key)?.samples ?? [];
    merged.set(key, { ...each, samples: [...known, ...each.samples].toSorted(([a], [b]) => a - b) });
  }
  return [...merged.values()];
}

// The store is filled before the server starts, so the server starts at the first query, with everything planted by then.
describePrometheus("a real Prometheus", async () => {
  const port = await findFreePort();
  let series: readonly Series[] = [];
  let server: RealPrometheus | undefined;
  let isDown = false;
  const stop = async () => {
    await server?.close();
    server = undefined;
  };
  const client = openPrometheus({ url: `http://127.0.0.1:${port}` });
  const prometheus: Prometheus = {
    async query(promql, at) {
      if (isDown) await stop();
      else server ??= await startRealPrometheus(mergeSeries(series), port);
      return client.query(promql, at);
    },
  };
  return {
    prometheus,
    plant: (planting) => void (series = [...series, ...makeSeries(planting)]),
    refuse: () => undefined,
    setUnavailable: (down) => void (isDown = down),
    close: stop,
  };
});
