import { type Event, makeEvent } from "#libs/events";
import {
  applyChange,
  type LedgerChange,
  type LedgerState,
  type RunRecord,
  type RunStep,
  type Snapshot,
  type StopChange,
} from "#libs/plan";

import {
  describeBake,
  describeCompletion,
  describeGate,
  describeProposal,
  describeWaveEnd,
  nameBelonging,
  type StepOf,
  type Stepped,
} from "./describe-campaign.ts";
import { summariseEnd } from "./summarise-end.ts";

/** Workloads in namespaces whose answer the run changes, managed or not, or that it names: how big it is, for people. */
function countAsked({ specs, clusters }: Snapshot, { before, commit, converge, retried = {} }: RunRecord): number {
  if (converge !== undefined) return Object.keys(retried).filter((name) => !name.endsWith("/*")).length;
  const [old, now] = [specs.get(before)?.resolver, specs.get(commit)?.resolver];
  let count = 0;
  for (const { namespaces } of clusters.values()) {
    for (const [name, { workloads }] of namespaces) {
      if (old?.resolve(name).revision !== now?.resolve(name).revision) count += workloads.length;
    }
  }
  return count;
}

function describeStart(snapshot: Snapshot, run: RunRecord): readonly Event[] {
  const { id, commit, subject, author } = run;
  const size = { workloads: countAsked(snapshot, run), clusters: Object.keys(run.clusters) };
  const data = { run: id, commit, subject, author, ...size, ...nameBelonging(run) };
  return [makeEvent("runStarted", `run-${id}-started`, snapshot.now, data)];
}

/** A run that was opened again by a retry ends more than once: the ledger's sequence tells the ends apart. */
function describeEnd(snapshot: Snapshot, run: RunRecord, sequence: number): readonly Event[] {
  const { id, state, outcome, commit, subject, author, startedAt } = run;
  if (state === "open") return [];
  const { migrated = 0, idle, skipped = [] } = outcome ?? {};
  const counts = { migrated, ...(idle === undefined ? {} : { idle }), skipped: skipped.length };
  const successor = outcome?.takenOverBy === undefined ? {} : { takenOverBy: outcome.takenOverBy };
  const known = { commit, subject, author, startedAt, ...nameBelonging(run) };
  const data = { run: id, state, ...counts, ...successor, ...known, ...summariseEnd(run) };
  return [makeEvent("runDone", `run-${id}-${state}-${sequence}`, snapshot.now, data)];
}

/** Every stop that the transition placed: a rollback places its holds with its start. */
function describeStops(now: number, stops: readonly StopChange[]): readonly Event[] {
  const placed = stops.filter(({ step }) => step === "placed");
  return placed.map(({ stop: { id, scope, who, why, strength, cause, until } }) => {
    const data = { stop: id, scope, who, why, strength, cause, ...(until === undefined ? {} : { until }) };
    return makeEvent("stopPlaced", `stop-${id}`, now, data);
  });
}

/** Every stop that the transition resumed: one message, for one transition has one reason. */
function describeResumes(now: number, stops: readonly StopChange[]): readonly Event[] {
  const resumed = stops.flatMap(({ step, stop }) => (step === "resumed" ? [stop] : []));
  const resume = resumed[0]?.resume;
  if (resume === undefined) return [];
  const ids = resumed.map(({ id }) => id);
  const data = { stops: ids, who: resume.who, why: resume.why, scopes: resumed.map(({ scope }) => scope) };
  return [makeEvent("stopResumed", `resume-${ids.join("-")}`, now, data)];
}

/** A snapshot with the ledger before the transition. */
export type Before = Snapshot & { readonly ledger: LedgerState };

/** What a step is told by, next to itself. */
interface Told extends Stepped {
  readonly before: Before;
  /** The ledger with the change. */
  readonly after: LedgerState;
}

type Tellers = { readonly [K in RunStep["kind"]]: (told: Told, step: StepOf<K>) => readonly Event[] };

const nothing = (): readonly Event[] => [];

/** One for each kind: a new step does not compile before it is decided what people read of it. */
const tellers: Tellers = {
  started: ({ before, run }) => describeStart(before, run),
  ended: ({ before, after, ...ended }) => [
    ...describeEnd(before, ended.run, ended.sequence),
    ...describeCompletion(before, after, ended),
  ],
  wavesOpened: ({ before, run: { id: run } }, { clusters }) =>
    clusters.map((cluster) => makeEvent("runWaveOpened", `wave-${run}-${cluster}`, before.now, { run, cluster })),
  wavesClosed: ({ before, ...closed }, step) => describeWaveEnd(before.now, closed, step),
  // That the next wave waits for it is reported as a wait.
  wavesReopened: nothing,
  bakeSaved: ({ before, ...saved }, step) => describeBake(before.now, saved, step),
  // Told when it begins again.
  bakeRestarted: nothing,
  gateJudged: ({ before, ...judged }, step) => describeGate(before.now, judged, step),
  // A measurement that is no verdict yet is a figure in status.
  gateCounted: nothing,
  // The answer to the verb says it.
  retried: nothing,
  // What is over decides nothing any more: the log names it, and `meshroll history`.
  archived: nothing,
  restored: nothing,
};

function describeStep<K extends RunStep["kind"]>(told: Told, step: StepOf<K> & { readonly kind: K }): readonly Event[] {
  return tellers[step.kind](told, step);
}

/**
 * What people are told of a transition: its commit has it. Pure; each message's id is the effect that it reports. `before.now`:
 * when it was decided, epoch ms.
 */
export function describeTransition(before: Before, change: LedgerChange): readonly Event[] {
  const { sequence, runs = [], plans = [], stops = [] } = change;
  const after = applyChange(before.ledger, change);
  return [
    ...runs.flatMap(({ run, steps }) => steps.flatMap((step) => describeStep({ before, after, run, sequence }, step))),
    ...plans.flatMap((plan) => describeProposal(before, plan, sequence)),
    ...describeStops(before.now, stops),
    ...describeResumes(before.now, stops),
  ];
}
