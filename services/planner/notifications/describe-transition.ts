import { type Event, makeEvent } from "#libs/events";
import { lookUp } from "#libs/input";
import {
  applyChange,
  countOutcome,
  type LedgerChange,
  type LedgerState,
  listTakenBack,
  type RunRecord,
  type RunStep,
  type Snapshot,
  type StopChange,
} from "#libs/plan";
import { nameEndVerb } from "#libs/wording";

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

/**
 * How big a run is, for people: the workloads in namespaces whose desired revision it changes, managed or not; for a converging
 * run those that it names.
 */
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

/** The run that took over, and whether it is a rollback. */
function describeSuccessor(run: RunRecord, runs: LedgerState["runs"]) {
  const takenOverBy = run.outcome?.takenOverBy;
  if (takenOverBy === undefined) return {};
  const later = lookUp(runs, takenOverBy);
  const isRollback = later !== undefined && listTakenBack(later, Object.values(runs)).includes(run.id);
  return { takenOverBy, ...(isRollback ? { rolledBack: true as const } : {}) };
}

/** A retry opens a run again, so a run may end more than once: the id has the ledger's sequence. */
function describeEnd(snapshot: Snapshot, run: RunRecord, { sequence, runs }: LedgerState): readonly Event[] {
  const { id, state, outcome, commit, subject, author, startedAt } = run;
  if (state === "open") return [];
  const counts = outcome === undefined ? { migrated: 0, skipped: 0 } : countOutcome(outcome);
  const known = { commit, subject, author, startedAt, ...nameBelonging(run) };
  const data = { run: id, state, ...counts, ...describeSuccessor(run, runs), ...known, ...summariseEnd(run) };
  return [makeEvent("runDone", `run-${id}-${state}-${sequence}`, snapshot.now, data)];
}

/** One event for each stop that the transition placed: a rollback places its holds in the commit that starts its run. */
function describeStops(now: number, stops: readonly StopChange[]): readonly Event[] {
  const placed = stops.filter(({ step }) => step === "placed");
  return placed.map(({ stop: { id, scope, who, why, strength, cause, until } }) => {
    const data = { stop: id, scope, who, why, strength, cause, ...(until === undefined ? {} : { until }) };
    return makeEvent("stopPlaced", `stop-${id}`, now, data);
  });
}

/** One event for all stops that the transition resumed: they have one reason. */
function describeResumes(now: number, stops: readonly StopChange[]): readonly Event[] {
  const resumed = stops.flatMap(({ step, stop }) => (step === "resumed" ? [stop] : []));
  const resume = resumed[0]?.resume;
  if (resume === undefined) return [];
  const ids = resumed.map(({ id }) => id);
  const scopes = resumed.map(({ scope }) => scope);
  const data = { stops: ids, who: resume.who, why: resume.why, scopes, verb: nameEndVerb(resumed) };
  return [makeEvent("stopResumed", `resume-${ids.join("-")}`, now, data)];
}

/** A snapshot with the ledger before the transition. */
export type SnapshotBefore = Snapshot & { readonly ledger: LedgerState };

/** What the event of a step is described from. */
interface StepContext extends Stepped {
  readonly before: SnapshotBefore;
  /** The ledger with the change. */
  readonly after: LedgerState;
}

type Describers = { readonly [K in RunStep["kind"]]: (context: StepContext, step: StepOf<K>) => readonly Event[] };

const nothing = (): readonly Event[] => [];

/** One for each kind of step, so that a new kind does not compile until its events are decided. */
const describers: Describers = {
  started: ({ before, run }) => describeStart(before, run),
  ended: ({ before, after, ...ended }) => [
    ...describeEnd(before, ended.run, after),
    ...describeCompletion(before, after, ended),
  ],
  wavesOpened: ({ before, run: { id: run } }, { clusters }) =>
    clusters.map((cluster) => makeEvent("runWaveOpened", `wave-${run}-${cluster}`, before.now, { run, cluster })),
  wavesClosed: ({ before, ...closed }, step) => describeWaveEnd(before.now, closed, step),
  // That the next wave waits for it is reported as a wait.
  wavesReopened: nothing,
  bakeSaved: ({ before, ...saved }, step) => describeBake(before.now, saved, step),
  // Reported when it begins again.
  bakeRestarted: nothing,
  gateJudged: ({ before, ...judged }, step) => describeGate(before.now, judged, step),
  // Shown in status: a measurement is no verdict.
  gateCounted: nothing,
  // The verb's answer says it.
  retried: nothing,
  // Over for good: `meshroll history` shows it.
  archived: nothing,
  restored: nothing,
};

function describeStep<K extends RunStep["kind"]>(
  context: StepContext,
  step: StepOf<K> & { readonly kind: K },
): readonly Event[] {
  return describers[step.kind](context, step);
}

/**
 * The events of a transition, which are stored in its commit. Pure; an event's id names its effect, so the same transition
 * gives the same ids. `before.now`: when it was decided, epoch ms.
 */
export function describeTransition(before: SnapshotBefore, change: LedgerChange): readonly Event[] {
  const { sequence, runs = [], plans = [], stops = [] } = change;
  const after = applyChange(before.ledger, change);
  return [
    ...runs.flatMap(({ run, steps }) => steps.flatMap((step) => describeStep({ before, after, run, sequence }, step))),
    ...plans.flatMap((plan) => describeProposal(before, plan, sequence)),
    ...describeStops(before.now, stops),
    ...describeResumes(before.now, stops),
  ];
}
