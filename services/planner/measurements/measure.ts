import {
  listMeasurements,
  type Measurement,
  readProxySyncs,
  type Sample,
  evaluateFleet,
  type Snapshot,
} from "#libs/plan";
import type { Prometheus, QueryAnswer } from "#libs/prometheus";
import type { Clock, Logger } from "#libs/runtime";

import { createSampleMemory } from "./sample-memory.ts";

export interface MeasurerParts {
  /** Absent = `MESHROLL_PROMETHEUS_URL` is not set; each measurement then says so. */
  readonly prometheus?: Prometheus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Queries Prometheus in parallel with the reconciles; gates see the answers that have arrived. */
export interface Measurer {
  /** Starts the measurements that are due, without waiting for them. */
  notice(snapshot: Snapshot): void;
  samples(): NonNullable<Snapshot["samples"]>;
}

/** A difference of this much between the clocks means that the machine's clock was set, ms; less is drift. */
const smallestStepMs = 1000;

/** Longest query text in a message or record, characters: a query may name thousands of namespaces. */
const mostShown = 1000;

function cut(query: string): string {
  return query.length > mostShown ? `${query.slice(0, mostShown)}… (${query.length} characters)` : query;
}

const notSet: QueryAnswer = { kind: "unavailable", why: "MESHROLL_PROMETHEUS_URL of the planner is not set" };
const noWorkloads: QueryAnswer = {
  kind: "noData",
  why: "there are no workloads to measure, or the run's commits were not read yet",
};

/** Queries value and baseline for the same moment: otherwise a gate would compare two different hours. */
async function querySample(
  prometheus: Prometheus | undefined,
  { query }: Measurement,
  { query: filled, baselineQuery }: ReturnType<Measurement["fill"]>,
  at: number,
): Promise<Sample> {
  const ask = async (promql: string): Promise<QueryAnswer> => prometheus?.query(promql, at) ?? notSet;
  const [value, baseline] = await Promise.all([
    filled === undefined ? noWorkloads : ask(filled),
    baselineQuery === undefined ? undefined : ask(baselineQuery),
  ]);
  return {
    at,
    madeAt: new Date(at).toISOString(),
    query: cut(filled ?? query),
    ...(value.kind === "value" ? { value: value.value } : { fault: value.why }),
    ...(baseline?.kind === "value" ? { baseline: baseline.value } : {}),
    ...(baseline === undefined || baseline.kind === "value" ? {} : { baselineFault: baseline.why }),
  };
}

export function createMeasurer({ prometheus, clock, log }: MeasurerParts): Measurer {
  const memory = createSampleMemory();
  /** The difference of the two clocks, ms; it changes only when the machine's clock is set. */
  let offset = clock.now() - clock.elapsed();

  /**
   * Moves the samples' times with the machine's clock: setting it forward must not turn a minute of bad values into an hour.
   */
  function followClock(): void {
    const step = clock.now() - clock.elapsed() - offset;
    if (Math.abs(step) < smallestStepMs) return;
    memory.shift(step);
    offset += step;
  }

  /** A bug in filling a query in must not end the planner: the sample then has a fault like any other without data. */
  async function measureOne(measurement: Measurement, at: number): Promise<Sample> {
    let sample: Sample;
    try {
      sample = await querySample(prometheus, measurement, measurement.fill(), at);
    } catch (error) {
      log.error({ error, gate: measurement.key }, "a gate could not be measured");
      sample = { at, query: cut(measurement.query), fault: "the planner could not ask; its log says why" };
    }
    const known = memory.samples().get(measurement.key)?.at(-1)?.fault;
    if (sample.fault !== undefined && sample.fault !== known)
      log.warn({ gate: measurement.key, why: sample.fault }, "a gate has no data");
    return sample;
  }

  /** One query after the other: moments that were missed must not send Prometheus a hundred queries at once. */
  async function measure(measurement: Measurement, moments: readonly number[]): Promise<void> {
    const last = moments.at(-1) ?? clock.now();
    for (const at of moments.slice(0, -1)) {
      const missed = await measureOne(measurement, at);
      // If it does not answer, only the current moment is queried, not all that were missed.
      if (missed.fault !== undefined) break;
      memory.add(measurement, missed, false);
    }
    memory.add(measurement, await measureOne(measurement, last));
  }

  return {
    notice(snapshot) {
      const head = snapshot.specs.get(snapshot.main.head);
      // While main does not parse it is unknown which gates apply, and nothing moves.
      if (head === undefined) return;
      const { views } = evaluateFleet(snapshot, head);
      memory.retain(new Set(views.map(({ run }) => run.id)));
      const now = clock.now();
      for (const measurement of listMeasurements(snapshot, head, views)) {
        const moments = memory.begin(measurement, now);
        if (moments.length > 0) void measure(measurement, moments);
      }
      for (const { key, limit, ratio } of readProxySyncs(snapshot, head, views))
        memory.note(key, { at: now, query: "synced proxies", ...(ratio === undefined ? {} : { value: ratio }) }, limit);
    },
    samples() {
      followClock();
      return memory.samples();
    },
  };
}
