import type { KeyValue } from "#libs/bus";
import { printTellings, readTellings, type Tellings } from "#libs/events";
import type { Clock } from "#libs/runtime";

const key = "tellings";

/** Written at least so often though nothing changed, real ms: a wiped bus has it again soon. */
const writeEveryMs = 10_000;

/** What was told to people, kept where the next planner finds it. */
export interface TellingsKeeper {
  /** Undefined when nobody told anything on this bus. */
  load(): Promise<Tellings | undefined>;
  /** In this version of the formats. `wiped`: what this planner wrote before is not there any more. */
  save(tellings: Tellings, version: number): Promise<"kept" | "wiped">;
}

export function createTellingsKeeper(bucket: KeyValue, clock: Pick<Clock, "monotonic">): TellingsKeeper {
  let last: string | undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    async load() {
      const entry = await bucket.get(key);
      return entry?.value === undefined ? undefined : readTellings(entry.value);
    },
    async save(tellings, version) {
      const text = printTellings(tellings, version);
      if (text === last && clock.monotonic() - writtenAt < writeEveryMs) return "kept";
      const isWiped = last !== undefined && (await bucket.get(key))?.value === undefined;
      await bucket.put(key, text);
      last = text;
      writtenAt = clock.monotonic();
      return isWiped ? "wiped" : "kept";
    },
  };
}
