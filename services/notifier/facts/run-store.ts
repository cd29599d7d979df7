import { type Event, identifyEvent } from "#libs/events";
import type { FleetStatus, RunStatus } from "#libs/plan";

import type { StageName } from "./notify-store.ts";
import type { RunFacts, RunReport } from "./run-facts.ts";

/** The run's progress in one cluster, by the messages so far. */
export interface ClusterProgress {
  readonly hasBegun: boolean;
  /** True while the newest message is a failure. */
  readonly isFailing: boolean;
  /** By code: the words of pods differ from one to the next. */
  readonly failures: ReadonlyMap<string, number>;
}

/** What this process knows of runs, from messages and the newest status. It may be lost at any time. */
export interface RunStore {
  /** Adds a message; a repeated one changes nothing. */
  note(event: Event): void;
  setStatus(status: FleetStatus | undefined): void;
  readonly status: FleetStatus | undefined;
  /** Runs whose messages may be edited: open ones, and those that ended or vanished recently. */
  list(): readonly string[];
  report(run: string): RunReport;
  /** False when it is over; undefined before the planner has published a status. */
  isOpen(run: string): boolean | undefined;
  progress(run: string): ReadonlyMap<string, ClusterProgress>;
}

/** Real time, ms. */
export interface RealTime {
  /** Since some fixed moment. */
  monotonic(): number;
  /** Epoch ms, comparable between machines. */
  wall(): number;
}

const mostRuns = 50;
/** A run that the status no longer shows, and whose end no message reported, counts as over after this time, real ms. */
const vanishedMs = 60_000;
/** An ended run is edited for this long, real ms, because an older state may still be written after the end. */
const afterEndMs = 2 * 60_000;
/** Real ms; the planner writes every 5 s. */
const silentMs = 60_000;

interface Entry {
  facts: RunFacts;
  readonly clusters: Map<string, ClusterProgress>;
  endedAt: number | undefined;
  /** Real ms since a fresh status does not show it. */
  goneSince: number | undefined;
  wasSeen: boolean;
}

const noProgress: ClusterProgress = { hasBegun: false, isFailing: false, failures: new Map() };

function addFailure(before: ClusterProgress, code: string): ClusterProgress {
  const failures = new Map(before.failures).set(code, (before.failures.get(code) ?? 0) + 1);
  return { hasBegun: true, isFailing: true, failures };
}

/** Campaign and stage, where the message has them. */
function readBelonging({ campaign, stage }: { readonly campaign?: string; readonly stage?: string }) {
  return { ...(campaign === undefined ? {} : { campaign }), ...(stage === undefined ? {} : { stage }) };
}

/** The facts in a message about a run's beginning or end. */
function addFacts(facts: RunFacts, event: Event): RunFacts {
  if (event.type === "run.v1.started") {
    const { commit, subject, author } = event.data;
    return { ...facts, ...readBelonging(event.data), commit, subject, author, startedAt: event.at };
  }
  if (event.type !== "run.v1.done") return facts;
  const { commit, subject, author, startedAt } = event.data;
  return {
    ...facts,
    ...readBelonging(event.data),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(commit === undefined ? {} : { commit }),
    ...(subject === undefined ? {} : { subject }),
    ...(author === undefined ? {} : { author }),
    end: { ...event.data, at: event.at },
  };
}

/** Updates the clusters' progress by a message. */
function addProgress(clusters: Map<string, ClusterProgress>, event: Event): void {
  const change = (cluster: string, how: (before: ClusterProgress) => ClusterProgress) =>
    void clusters.set(cluster, how(clusters.get(cluster) ?? noProgress));
  if (event.type === "run.v1.started") for (const each of event.data.clusters ?? []) change(each, (before) => before);
  if (event.type === "run.v1.waveOpened") change(event.data.cluster, (before) => before);
  if (event.type === "batch.v1.handedOut") {
    change(event.data.cluster, (before) => ({ ...before, hasBegun: true, isFailing: false }));
  }
  if (event.type === "workload.v1.failed") {
    const { cluster, code, reason } = event.data;
    change(cluster, (before) => addFailure(before, code ?? reason));
  }
}

/** The status was written after the end and shows the run: a retry reopened it. */
function isOpenAgain({ end }: RunFacts, { at }: FleetStatus): boolean {
  return end !== undefined && at > end.at;
}

function reopen(entry: Entry): void {
  const { end: _end, ...facts } = entry.facts;
  entry.facts = facts;
  entry.endedAt = undefined;
}

function readFacts({ id, commit, subject, author, startedAt }: RunStatus): RunFacts {
  return { id, subject, author, startedAt, ...(commit === undefined ? {} : { commit }) };
}

/** Empty where a planner of an earlier version does not list them. */
function listClusters({ clusters = [] }: Partial<RunStatus>): readonly string[] {
  return clusters.map(({ cluster }) => cluster);
}

/** Takes in an open run of the status. */
function noteRun(entry: Entry, run: RunStatus, status: FleetStatus): void {
  entry.wasSeen = true;
  // Messages may have said more than the status.
  entry.facts = { ...readFacts(run), ...entry.facts };
  if (isOpenAgain(entry.facts, status)) reopen(entry);
  for (const cluster of listClusters(run)) entry.clusters.set(cluster, entry.clusters.get(cluster) ?? noProgress);
}

/** The run of a message; undefined where it has none. */
export function readRun(event: Event): string | undefined {
  const { data } = event;
  return "run" in data && typeof data.run === "string" && data.run !== "" ? data.run : undefined;
}

/** An empty store; `stageOf`: the stage of a run, where it is known. */
export function createRunStore(
  time: RealTime,
  stageOf: (run: string) => StageName | undefined = () => undefined,
): RunStore {
  const entries = new Map<string, Entry>();
  const seenIds = new Set<string>();
  let status: FleetStatus | undefined;

  function open(run: string): Entry {
    const found = entries.get(run);
    if (found !== undefined) return found;
    const made: Entry = {
      facts: { id: run },
      clusters: new Map(),
      endedAt: undefined,
      goneSince: undefined,
      wasSeen: false,
    };
    entries.set(run, made);
    const oldest = entries.keys().next().value;
    if (entries.size > mostRuns && oldest !== undefined) entries.delete(oldest);
    return made;
  }

  /** Whether the message is new: failures are counted, so a repeated message must not be. */
  function isNew(event: Event): boolean {
    const id = identifyEvent(event);
    if (seenIds.has(id)) return false;
    seenIds.add(id);
    const first = seenIds.values().next().value;
    if (seenIds.size > 5_000 && first !== undefined) seenIds.delete(first);
    return true;
  }

  function findRun(run: string) {
    return status?.runs.find(({ id }) => id === run);
  }

  /** ISO time of the planner's last write, if that is too long ago. */
  function readSilence(): { readonly silentSince?: string } {
    const wroteAt = status?.wroteAt;
    if (wroteAt === undefined || time.wall() - wroteAt <= silentMs) return {};
    return { silentSince: new Date(wroteAt).toISOString() };
  }

  function isEditable(run: string, entry: Entry): boolean {
    if (entry.endedAt !== undefined) return time.monotonic() - entry.endedAt < afterEndMs;
    if (findRun(run) !== undefined) return true;
    if (entry.goneSince === undefined) return false;
    return hasVanished(entry) && time.monotonic() - entry.goneSince < vanishedMs + afterEndMs;
  }

  function hasVanished({ goneSince }: Entry): boolean {
    return goneSince !== undefined && time.monotonic() - goneSince > vanishedMs;
  }

  return {
    get status() {
      return status;
    },
    note(event) {
      const run = readRun(event);
      if (run === undefined || !isNew(event)) return;
      const entry = open(run);
      entry.facts = addFacts(entry.facts, event);
      addProgress(entry.clusters, event);
      if (entry.facts.end !== undefined) entry.endedAt ??= time.monotonic();
    },
    setStatus(next) {
      status = next;
      if (next === undefined) return;
      for (const run of next.runs) noteRun(open(run.id), run, next);
      for (const [run, entry] of entries) {
        const isGone = entry.wasSeen && findRun(run) === undefined && entry.endedAt === undefined;
        entry.goneSince = isGone ? (entry.goneSince ?? time.monotonic()) : undefined;
      }
    },
    list: () => [...entries].filter(([run, entry]) => isEditable(run, entry)).map(([run]) => run),
    report(run) {
      const [found, entry, stage] = [findRun(run), entries.get(run), stageOf(run)];
      return {
        facts: entry?.facts ?? { id: run },
        ...(entry !== undefined && hasVanished(entry) ? { hasVanished: true } : {}),
        ...(stage === undefined ? {} : { stage }),
        ...(found === undefined ? {} : { run: found }),
        ...(status === undefined ? {} : { status }),
        ...readSilence(),
      };
    },
    isOpen(run) {
      if (entries.get(run)?.endedAt !== undefined) return false;
      return status === undefined ? undefined : findRun(run) !== undefined;
    },
    progress: (run) => entries.get(run)?.clusters ?? new Map<string, ClusterProgress>(),
  };
}
