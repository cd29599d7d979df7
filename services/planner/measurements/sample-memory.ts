import type { Measurement, Sample, Snapshot } from "#libs/plan";

/** What is known of one gate. */
interface Remembered {
  /** As written in the file. It starts again with another query, or when a person had the measurements forgotten (`since`). */
  readonly query: string;
  readonly since: number;
  /** `now`-time of the last query. */
  readonly askedAt: number;
  readonly isAsking: boolean;
  readonly samples: readonly Sample[];
  /**
   * For a ratio that is noted at every reconcile: whether the last samples were good, and how many in a row were, 2 at most.
   */
  readonly row?: { readonly isGood: boolean; readonly length: number };
}

/** Samples of gates, limited in number. The ledger has the bad ones too, and a new planner continues from there. */
export interface SampleMemory {
  /** The moments to query now, oldest first, empty while none is due; they count as begun. */
  begin(measurement: Measurement, now: number): readonly number[];
  /** `isLast`: no more answers of this measurement are expected. */
  add(measurement: Measurement, sample: Sample, isLast?: boolean): void;
  /**
   * For a ratio that is noted at every reconcile: keeps only when it turned good or bad, and the newest value. With another
   * limit it starts again.
   */
  note(key: string, sample: Sample, limit: number): void;
  /** The machine's clock was set by so many ms: all times are moved with it. */
  shift(ms: number): void;
  /** Forgets all runs but these. */
  retain(runs: ReadonlySet<string>): void;
  samples(): NonNullable<Snapshot["samples"]>;
}

/** Of one gate, on top of its `failureLimit`. */
const mostSamples = 100;

/** At most so many missed moments are queried. */
const mostMissed = 120;

/**
 * The moments that a planner which has just started queries: now, or in a bake those since the ledger's last record, an
 * interval apart, because there may have been no planner. None within an interval of a bad sample that is recorded already.
 */
function listFirstMoments({ interval, since, lastBadAt, bakedTo }: Measurement, now: number): readonly number[] {
  if (lastBadAt !== undefined && now >= lastBadAt && now - lastBadAt < interval) return [];
  const from = Math.max(bakedTo ?? now, lastBadAt ?? Number.NEGATIVE_INFINITY, since);
  const missed = Math.max(0, Math.floor((now - from) / interval));
  if (bakedTo === undefined || missed === 0) return [now];
  const count = Math.min(missed, mostMissed);
  return Array.from({ length: count }, (_, index) => from + (missed - count + 1 + index) * interval);
}

function makeRemembered(query: string, askedAt: number, since = Number.NEGATIVE_INFINITY): Remembered {
  return { query, since, askedAt, isAsking: false, samples: [] };
}

export function createSampleMemory(): SampleMemory {
  const gates = new Map<string, Remembered>();
  let published: NonNullable<Snapshot["samples"]> | undefined;

  function put(key: string, samples: readonly Sample[], remembered: Omit<Remembered, "samples">): void {
    gates.set(key, { ...remembered, samples });
    published = undefined;
  }

  function findCurrent({ key, query, since }: Measurement): Remembered | undefined {
    const found = gates.get(key);
    return found?.query === query && found.since === since ? found : undefined;
  }

  return {
    begin(measurement, now) {
      const found = findCurrent(measurement);
      if (found !== undefined && (found.isAsking || now - found.askedAt < measurement.interval)) return [];
      const moments = found === undefined ? listFirstMoments(measurement, now) : [now];
      const { key, query, since } = measurement;
      const asked = found ?? makeRemembered(query, now, since);
      const askedAt = moments.at(-1) ?? measurement.lastBadAt ?? now;
      put(key, asked.samples, { ...asked, askedAt, isAsking: moments.length > 0 });
      return moments;
    },

    add(measurement, sample, isLast = true) {
      const found = findCurrent(measurement);
      // While the query was in flight the run ended, or the gate was changed.
      if (found === undefined) return;
      const kept = mostSamples + measurement.failureLimit;
      put(measurement.key, [...found.samples, sample].slice(-kept), { ...found, isAsking: !isLast });
    },

    note(key, sample, limit) {
      const isGood = sample.value === undefined || sample.value >= limit;
      const query = String(limit);
      const known = gates.get(key);
      const found = known?.query === query ? known : makeRemembered(query, sample.at);
      const length = found.row?.isGood === isGood ? found.row.length : 0;
      const row = { isGood, length: Math.min(length + 1, 2) };
      // The first sample of a good or bad period says when it began; those between it and the newest are dropped.
      const kept = length < 2 ? found.samples : found.samples.slice(0, -1);
      put(key, [...kept, sample].slice(-mostSamples), { ...found, row });
    },

    shift(ms) {
      for (const [key, { samples, ...found }] of gates) {
        const moved = samples.map((sample) => ({ ...sample, at: sample.at + ms }));
        put(key, moved, { ...found, askedAt: found.askedAt + ms });
      }
    },

    retain(runs) {
      for (const key of gates.keys()) {
        if (!runs.has(key.slice(0, key.indexOf("/")))) {
          gates.delete(key);
          published = undefined;
        }
      }
    },

    samples() {
      published ??= new Map([...gates].map(([key, { samples }]) => [key, samples]));
      return published;
    },
  };
}
