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
  /** Absent: `MESHROLL_PROMETHEUS_URL` is not set, and every measurement says so. */
  readonly prometheus?: Prometheus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Queries Prometheus in parallel with the reconciles; a gate sees what was answered by then. */
export interface Measurer {
  /** Starts the measurements whose time has come, and waits for none of them. */
  notice(snapshot: Snapshot): void;
  samples(): NonNullable<Snapshot["samples"]>;
}

/** The machine's clock was set, and did not only drift: ms. */
const smallestStepMs = 1000;

/** What a message or a record shows of a query that names thousands of namespaces. */
const mostShown = 1000;

function cut(query: string): string {
  return query.length > mostShown ? `${query.slice(0, mostShown)}… (${query.length} characters)` : query;
}

const notSet: QueryAnswer = { kind: "unavailable", why: "MESHROLL_PROMETHEUS_URL of the planner is not set" };
const noWorkloads: QueryAnswer = {
  kind: "noData",
  why: "there are no workloads to measure, or the run's commits were not read yet",
};

/** Both at the same moment: a baseline that is older than the value compares two different hours. */
async function request(
  prometheus: Prometheus | undefined,
  { query }: Measurement,
  { query: filled, baselineQuery }: ReturnType<Measurement["fill"]>,
  at: number,
): Promise<Sample> {
  const put = async (promql: string): Promise<QueryAnswer> => prometheus?.query(promql, at) ?? notSet;
  const [value, baseline] = await Promise.all([
    filled === undefined ? noWorkloads : put(filled),
    baselineQuery === undefined ? undefined : put(baselineQuery),
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
  /** It changes only when the machine's clock is set. */
  let offset = clock.now() - clock.elapsed();

  /** A clock that is set forward must not make a minute of bad figures an hour of them. */
  function followClock(): void {
    const step = clock.now() - clock.elapsed() - offset;
    if (Math.abs(step) < smallestStepMs) return;
    memory.shift(step);
    offset += step;
  }

  /** A fault of ours must not end the planner, and is no data like any other. */
  async function measureOne(measurement: Measurement, at: number): Promise<Sample> {
    let sample: Sample;
    try {
      sample = await request(prometheus, measurement, measurement.fill(), at);
    } catch (error) {
      log.error({ error, gate: measurement.key }, "a gate could not be measured");
      sample = { at, query: cut(measurement.query), fault: "the planner could not ask; its log says why" };
    }
    const known = memory.samples().get(measurement.key)?.at(-1)?.fault;
    if (sample.fault !== undefined && sample.fault !== known)
      log.warn({ gate: measurement.key, why: sample.fault }, "a gate has no data");
    return sample;
  }

  /** One after the other: what was missed is no reason to ask a Prometheus a hundred things at once. */
  async function measure(measurement: Measurement, moments: readonly number[]): Promise<void> {
    const last = moments.at(-1) ?? clock.now();
    for (const at of moments.slice(0, -1)) {
      const missed = await measureOne(measurement, at);
      // One that does not answer is asked for what is now, not a hundred times for what was.
      if (missed.fault !== undefined) break;
      memory.add(measurement, missed, false);
    }
    memory.add(measurement, await measureOne(measurement, last));
  }

  return {
    notice(snapshot) {
      const head = snapshot.specs.get(snapshot.main.head);
      // Main does not parse: it is unknown which gates hold, and nothing goes on anyway.
      if (head === undefined) return;
      const { views } = evaluateFleet(snapshot, head);
      memory.keepOnly(new Set(views.map(({ run }) => run.id)));
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
