import { lookUp } from "#libs/input";
import { type Event, makeEvent } from "#libs/events";
import type { LedgerDecision, RunRecord, Snapshot } from "#libs/plan";

import {
  describeBake,
  describeCompletion,
  describeGate,
  describeProposal,
  describeWaveEnd,
  nameBelonging,
} from "./describe-campaign.ts";
import { summariseEnd } from "./summarise-end.ts";

/** Workloads in namespaces whose answer the run changes, managed or not: how big it is, for people. */
function countAsked({ specs, clusters }: Snapshot, { before, commit }: RunRecord): number {
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
  const counts = { migrated: outcome?.migrated ?? 0, skipped: outcome?.skipped.length ?? 0 };
  const successor = outcome?.takenOverBy === undefined ? {} : { takenOverBy: outcome.takenOverBy };
  const known = { commit, subject, author, startedAt, ...nameBelonging(run) };
  const data = { run: id, state, ...counts, ...successor, ...known, ...summariseEnd(run) };
  return [makeEvent("runDone", `run-${id}-${state}-${sequence}`, snapshot.now, data)];
}

/** Every stop that the transition placed: a rollback places its holds with its start. */
function describeStops({ now, ledger: before }: Snapshot, { ledger }: LedgerDecision): readonly Event[] {
  const placed = Object.values(ledger.stops).filter(({ id }) => lookUp(before?.stops, id) === undefined);
  return placed.map(({ id, scope, who, why, strength, cause, until }) => {
    const data = { stop: id, scope, who, why, strength, cause, ...(until === undefined ? {} : { until }) };
    return makeEvent("stopPlaced", `stop-${id}`, now, data);
  });
}

/** Every stop that the transition lifted. */
function describeResumes({ now, ledger: before }: Snapshot, { ledger, reason }: LedgerDecision): readonly Event[] {
  const resumed = Object.values(ledger.stops).filter(({ id, resume }) => {
    const was = lookUp(before?.stops, id);
    return resume !== undefined && was !== undefined && was.resume === undefined;
  });
  if (resumed.length === 0) return [];
  const stops = resumed.map(({ id }) => id);
  // One transition lifts all of them for one reason, and the message names what is lifted by itself.
  const { who, why } = resumed[0]?.resume ?? { who: reason.owner, why: reason.message };
  const data = { stops, who, why, scopes: resumed.map(({ scope }) => scope) };
  return [makeEvent("stopResumed", `resume-${stops.join("-")}`, now, data)];
}

type Tellers = {
  readonly [K in LedgerDecision["kind"]]: (
    snapshot: Snapshot,
    decision: Extract<LedgerDecision, { readonly kind: K }>,
  ) => readonly Event[];
};

/** What its stops say is told of them; a verb that changed nothing is answered to whoever asked. */
const nothing = (): readonly Event[] => [];

/** One for each kind: a new transition does not compile before somebody decided what people are told of it. */
const tellers: Tellers = {
  startRun: (snapshot, { run }) => describeStart(snapshot, run),
  finishRun: (snapshot, decision) => [
    ...describeEnd(snapshot, decision.run, decision.ledger.sequence),
    ...describeCompletion(snapshot, decision),
  ],
  openWave: (snapshot, { run, clusters }) =>
    clusters.map((cluster) => makeEvent("runWaveOpened", `wave-${run}-${cluster}`, snapshot.now, { run, cluster })),
  closeWave: describeWaveEnd,
  // That the next wave waits for it is told as a wait.
  reopenWave: nothing,
  saveBake: describeBake,
  // Told when it begins again.
  restartBake: nothing,
  judgeGate: describeGate,
  // A measurement that is no verdict yet is a figure in status.
  countGate: nothing,
  recordPlan: describeProposal,
  placeStop: nothing,
  resumeStop: nothing,
  retryRun: nothing,
  judge: nothing,
  // Nobody decides by it any more: the log names it, and `meshroll history`.
  archive: nothing,
  raiseFormat: nothing,
  answerRequest: nothing,
};

function describeRun<K extends LedgerDecision["kind"]>(
  snapshot: Snapshot,
  decision: Extract<LedgerDecision, { readonly kind: K }> & { readonly kind: K },
): readonly Event[] {
  return tellers[decision.kind](snapshot, decision);
}

/** What people are told of a transition that the ledger has. Pure; each message's id is the effect that it tells of. */
export function describeTransition(snapshot: Snapshot, decision: LedgerDecision): readonly Event[] {
  return [
    ...describeRun(snapshot, decision),
    ...describeStops(snapshot, decision),
    ...describeResumes(snapshot, decision),
  ];
}
