import type { Measurement, Sample, Snapshot } from "#libs/plan";

/** What one gate was told. */
interface Remembered {
  /** As written: with another query, or when a person forgave what was measured, it starts again. */
  readonly query: string;
  readonly since: number;
  /** `now`-time of the last question. */
  readonly askedAt: number;
  readonly isAsking: boolean;
  readonly samples: readonly Sample[];
  /** Of a ratio that is looked at all the time: how the last samples were, and how many in a row, at most two. */
  readonly row?: { readonly isGood: boolean; readonly length: number };
}

/** Samples of gates, bounded; what was bad is in the ledger too, and a planner that starts goes on from there. */
export interface SampleMemory {
  /** The moments to ask for now, oldest first, which is noted; none while it is not time. */
  begin(measurement: Measurement, now: number): readonly number[];
  /** `isLast`: no more answers are on their way. */
  add(measurement: Measurement, sample: Sample, isLast?: boolean): void;
  /**
   * Of what is looked at all the time only changes are kept: when it turned good or bad, and what it is now. With another
   * limit it starts again.
   */
  note(key: string, sample: Sample, limit: number): void;
  /** The machine's clock was set by so many ms: all that was asked and measured is as long ago as it was. */
  shift(ms: number): void;
  /** Forgets all but these runs. */
  keepOnly(runs: ReadonlySet<string>): void;
  samples(): NonNullable<Snapshot["samples"]>;
}

/** Of one gate, besides those that it takes to fail. */
const mostSamples = 100;

/** At most so many moments without a measurement are requested. */
const mostMissed = 120;

/**
 * The moments that a planner which has just started asks for: now; or those of the bake since the ledger knew of it last, an
 * interval apart, for no planner may have been there. None within an interval of a bad one that is recorded already.
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
      // Its run is over, or its gate was changed, while the answer was on its way.
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
      // The first of a bad time says since when; what lies between that and now is dropped.
      const kept = length < 2 ? found.samples : found.samples.slice(0, -1);
      put(key, [...kept, sample].slice(-mostSamples), { ...found, row });
    },

    shift(ms) {
      for (const [key, { samples, ...found }] of gates) {
        const moved = samples.map((sample) => ({ ...sample, at: sample.at + ms }));
        put(key, moved, { ...found, askedAt: found.askedAt + ms });
      }
    },

    keepOnly(runs) {
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
