import { type BadMeasurement, parseTime, printTime, type Sample } from "../../records/index.ts";
import type { GateOf, GateContext } from "../reading.ts";
import { nameSamples } from "./samples-key.ts";
import { findTally } from "../find-tally.ts";

/** A measurement, and whether it is known from the ledger only. */
export interface KnownSample {
  readonly sample: Sample;
  readonly isRecorded: boolean;
}

/** The time that identifies a measurement in the ledger. */
export function nameMoment({ at, madeAt }: Sample): string {
  return madeAt ?? printTime(at);
}

function restore({ at, ...figures }: BadMeasurement, query: string): Sample {
  return { at: parseTime(at), madeAt: at, query, ...figures };
}

/** This planner's measurements and recorded bad ones since the gate was last forgiven; oldest first. */
export function listSamples(gate: GateOf<"prometheus">, context: GateContext): readonly KnownSample[] {
  const { snapshot, view, since } = context;
  const own = snapshot.samples?.get(nameSamples(view.run.id, gate.name)) ?? [];
  const known = new Set(own.map(nameMoment));
  const others = (findTally(gate, context)?.bad ?? []).filter(({ at }) => !known.has(at));
  return [
    ...others.map((each) => ({ sample: restore(each, gate.query), isRecorded: true })),
    ...own.map((sample) => ({ sample, isRecorded: false })),
  ]
    .filter(({ sample }) => sample.at > since)
    .toSorted((a, b) => a.sample.at - b.sample.at);
}

/** When the newest recorded bad measurement that counts was made, epoch ms; undefined = none. */
export function findLastBad(gate: GateOf<"prometheus">, context: GateContext): number | undefined {
  const last = findTally(gate, context)?.bad?.at(-1);
  const at = last === undefined ? Number.NEGATIVE_INFINITY : parseTime(last.at);
  return at > context.since ? at : undefined;
}
