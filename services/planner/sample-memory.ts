import type { Measurement, Sample, World } from "#libs/plan";

/** What one gate was told. */
interface Remembered {
  /** As written: with another query, or when a person forgave what was measured, it begins anew. */
  readonly query: string;
  readonly since: number;
  /** `now`-time of the last question. */
  readonly askedAt: number;
  readonly isAsking: boolean;
  readonly samples: readonly Sample[];
  /** Of a ratio that is looked at all the time: how the last samples were, and how many in a row, at most two. */
  readonly row?: { readonly isGood: boolean; readonly length: number };
}

/** Samples of gates, bounded; a planner that starts begins anew. */
export interface SampleMemory {
  /** True when it is time to ask, which is noted. */
  begin(measurement: Measurement, now: number): boolean;
  add(measurement: Measurement, sample: Sample): void;
  /**
   * Of what is looked at all the time only changes are kept: when it turned good or bad, and what it is now. With another
   * limit it begins anew.
   */
  note(key: string, sample: Sample, limit: number): void;
  /** The machine's clock was set by so many ms: all that was asked and measured is as long ago as it was. */
  shift(ms: number): void;
  /** Forgets all but these runs. */
  keepOnly(runs: ReadonlySet<string>): void;
  samples(): NonNullable<World["samples"]>;
}

/** Of one gate, besides those that it takes to fail. */
const mostSamples = 100;

function makeRemembered(query: string, askedAt: number, since = Number.NEGATIVE_INFINITY): Remembered {
  return { query, since, askedAt, isAsking: false, samples: [] };
}

export function createSampleMemory(): SampleMemory {
  const gates = new Map<string, Remembered>();
  let published: NonNullable<World["samples"]> | undefined;

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
      if (found !== undefined && (found.isAsking || now - found.askedAt < measurement.interval)) return false;
      const { key, query, since } = measurement;
      const asked = found ?? makeRemembered(query, now, since);
      put(key, asked.samples, { ...asked, askedAt: now, isAsking: true });
      return true;
    },

    add(measurement, sample) {
      const found = findCurrent(measurement);
      // Its run is over, or its gate was changed, while the answer was on its way.
      if (found === undefined) return;
      const kept = mostSamples + measurement.failureLimit;
      put(measurement.key, [...found.samples, sample].slice(-kept), { ...found, isAsking: false });
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
