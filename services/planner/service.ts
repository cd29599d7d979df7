import { type Bus, createLease, type KeyValue, type LeaseHolder } from "#libs/bus";
import { type BatchJob, createInventoryFold } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import { openLedger } from "#libs/ledger";
import { createRepositorySnapshots, keepCloneSmall } from "#libs/repository";
import { type Decision, NamespaceTree, noticePutBack } from "#libs/plan";
import type { Prometheus } from "#libs/prometheus";
import type { BatchQueue } from "#libs/queue";
import type { Clock, Logger } from "#libs/runtime";
import type { Effects } from "./reconcile/act.ts";
import { rememberBakes } from "./memory/bake-memory.ts";
import { createLedgerHealth } from "./loop/ledger-health.ts";
import {
  answerRequests,
  createOpenRequests,
  followRequests,
  type OpenRequests,
  refuseRequest,
} from "./requests/follow-asks.ts";
import { createAnswerSweeper } from "./requests/forget-answers.ts";
import { followPeople, type PeopleWatch } from "./follow-people.ts";
import { followInventory } from "./inventory/follow-inventory.ts";
import { createMemory, type Sources } from "./reconcile/gather.ts";
import { createMainReader, type MainReader } from "./repository/keep-main-read.ts";
import { type ProtectionWatch, watchProtection } from "./repository/watch-protection.ts";
import { createMeasurer, type Measurer } from "./measurements/measure.ts";
import { createReconcileDeadline, type ReconcileDeadline } from "./loop/reconcile-deadline.ts";
import { reconcileOnce } from "./reconcile/planner.ts";
import type { ScmLink } from "./pull-requests/scm-link.ts";
import { type PullRequestWatch, watchPullRequests } from "./pull-requests/watch-pull-requests.ts";
import { createQueueHealth, type QueueHealth } from "./loop/queue-health.ts";
import { saveBeforeEnd } from "./reconcile/save-before-end.ts";
import { createNamespacePublisher } from "./publishing/publish-namespaces.ts";
import { createStatusPublisher } from "./publishing/publish-status.ts";
import { type ControlSeeder, createControlSeeder } from "./control/seed-control.ts";
import { createNotificationStore } from "./notifications/keep-notifications.ts";
import { createEventPublisher } from "./notifications/publish-events.ts";
import { createLedgerTeller } from "./notifications/tell-ledger.ts";
import { createPeopleTeller, type PeopleTeller } from "./notifications/tell-people.ts";
import { rememberWaiting } from "./memory/waiting-memory.ts";
import { doParts, type Part } from "./loop/do-parts.ts";
import { followLease, type Term } from "./loop/follow-lease.ts";
import { waitForBus } from "./loop/make-wait.ts";
import { createReconcileTrigger } from "./loop/reconcile-trigger.ts";

export interface PlannerParts {
  /** Which installation it serves: a ledger of another one is none. */
  readonly installation: string;
  /** Who it is among the planners of this installation, of which one leads. */
  readonly holder: LeaseHolder;
  readonly repository: RolloutsRepository;
  readonly bus: Bus;
  readonly queue: BatchQueue<BatchJob>;
  /** What is known against the queue's server; absent = only what its calls say. */
  readonly queueHealth?: QueueHealth;
  readonly clock: Clock;
  readonly log: Logger;
  /** Main is fetched at least so often, real ms. */
  readonly gitPollMs: number;
  /** Told at each turn of the loop whether this planner leads: for health and metrics. */
  readonly onTurn?: (leads: boolean) => void;
  /** Told after each reconcile how long it took, real ms, and whether it came to its end: for metrics. */
  readonly onReconcile?: (ms: number, succeeded: boolean) => void;
  /** Absent: no GitHub; checks are not posted, rollbacks say what a person types, and the ledger's branch may have any rules. */
  readonly link?: ScmLink;
  /** Where people open the page; absent = no links to it. */
  readonly page?: string;
  /** Absent: gates that request it have no data, and say so. */
  readonly prometheus?: Prometheus;
}

/** Without any change the snapshot is looked at so often, real ms: delays end, clusters grow stale. */
const idleMs = 1000;

/** A round over pull requests may take so long to end after the signal, real ms. */
const endMs = 1000;

/** So long a last record may take after the signal, real ms: a push takes seconds, and the whole way out ten. */
const lastRecordMs = 5000;

interface Loop {
  readonly parts: PlannerParts;
  readonly sources: Sources;
  readonly effects: Effects;
  readonly open: OpenRequests;
  readonly status: KeyValue;
  readonly publish: ReturnType<typeof createStatusPublisher>;
  readonly publishNamespaces: ReturnType<typeof createNamespacePublisher>;
  readonly sweepAnswers: () => Promise<void>;
  readonly seeder: ControlSeeder;
  readonly measurer: Measurer;
  readonly wake: () => void;
  /** Filled once pull requests are followed: what GitHub told of stages is part of the next reconcile's snapshot. */
  readonly followed: { watch?: PullRequestWatch };
  readonly deadline: ReconcileDeadline;
  readonly main: MainReader;
  /** Tells people of transitions and waits. */
  readonly notifications: PeopleTeller;
}

function buildLoop(
  parts: PlannerParts,
  { leads }: Term,
  wake: () => void,
  protection: ProtectionWatch | undefined,
): Loop {
  const { bus, clock, log, queue, gitPollMs } = parts;
  const ledger = openLedger(parts.repository);
  const repositorySnapshots = createRepositorySnapshots(parts.repository, ledger, clock, {
    installation: parts.installation,
    findDoubt: () => protection?.findDoubt(),
  });
  const open = createOpenRequests();
  const queueHealth = parts.queueHealth ?? createQueueHealth(clock);
  const [control, status] = [bus.bucket("control"), bus.bucket("status")];
  const seeder = createControlSeeder(control, clock, log);
  const measurer = createMeasurer(parts);
  const followed: Loop["followed"] = {};
  const [deadline, health] = [createReconcileDeadline(clock), createLedgerHealth(clock)];
  const { publish, forget } = createEventPublisher(bus, log);
  const teller = createLedgerTeller({ repository: parts.repository, publish, log });
  const store = createNotificationStore(status, clock);
  const monotonic = (): number => clock.monotonic();
  const notifications = createPeopleTeller({ store, teller, publish, forget, monotonic });
  const memory = createMemory();
  return {
    parts,
    sources: {
      repositorySnapshots,
      inventory: createInventoryFold(NamespaceTree.empty),
      requests: open.requests,
      queue,
      queueHealth,
      clock,
      memory,
      samples: () => measurer.samples(),
      pulls: () => followed.watch?.pulls(),
      deadline,
      onFault: (error) => log.warn({ error }, "git, Redis or the bus did not say what this reconcile asked for"),
    },
    effects: {
      ledger,
      repositorySnapshots,
      queue,
      tellRecorded: async (snapshot) =>
        notifications.tellRecorded(snapshot).catch((error: unknown) => log.warn({ error }, "people are not told")),
      publish,
      control,
      clock,
      log,
      leads,
      seed: async (view) => seeder.seed(view),
      health,
      deadline,
      wake,
      refuse: (request, why) => refuseRequest(open, request, why),
      queueHealth,
    },
    open,
    status,
    publish: createStatusPublisher(status, clock, parts.page),
    publishNamespaces: createNamespacePublisher(status, clock),
    sweepAnswers: createAnswerSweeper(status, clock, log),
    seeder,
    measurer,
    wake,
    followed,
    deadline,
    main: createMainReader({
      repositorySnapshots,
      clock,
      log,
      deadline,
      gitPollMs,
      wake,
      onBack: () => health.serverIsBack(),
    }),
    notifications,
  };
}

/** One whole look: main, decisions, and what others are told of it. Answers whether all of it could be done. */
async function reconcile(
  loop: Loop,
  pulls: PullRequestWatch,
  people: PeopleWatch,
  signal: AbortSignal,
): Promise<boolean> {
  const { parts, sources, effects, open, status } = loop;
  const { log, bus, clock } = parts;
  loop.deadline.renew();
  await loop.main.refresh(open.requests.size > 0, signal);
  const seen = await reconcileOnce(sources, effects);
  const { snapshot } = seen;
  const publish = (decisions: readonly Decision[]): Part => [
    "the status could not be published",
    async () => loop.publish({ ...seen, decisions }),
  ];
  const view = sources.repositorySnapshots.view();
  if (view === undefined) return doParts(log, [publish([...seen.decisions, ...loop.main.waits()])]);
  rememberWaiting(sources.memory, snapshot);
  rememberBakes(sources.memory.bakes, snapshot, clock.monotonic(), clock.elapsed());
  loop.measurer.notice(snapshot);
  pulls.notice(snapshot);
  const answer = async (): Promise<void> => {
    // A verb leaves the bus only when executors were told of a ledger that has it: no moment without the stop.
    if (await effects.seed(view)) await answerRequests({ control: effects.control, status, log }, open, view.ledger);
  };
  const isAnswered = await doParts(log, [["verbs could not be answered", answer]]);
  const waits = [...pulls.waits(), ...waitForBus(bus.trouble()), ...loop.main.waits()];
  const decisions = [...seen.decisions, ...waits];
  const told = [...decisions, ...noticePutBack(snapshot)];
  const isTold = await doParts(log, [
    publish(decisions),
    ["who is notified of what could not be published", async () => people.notice(snapshot)],
    ["people are not told", async () => loop.notifications.notice({ ...snapshot, ledger: view.ledger }, told)],
    ["old answers to verbs stay on the bus", loop.sweepAnswers],
    // For people's eyes alone: last.
    ["namespaces could not be published", async () => loop.publishNamespaces(seen)],
  ]);
  return isAnswered && isTold;
}

/** Follows pull requests in parallel with the reconciles; what it merges is read at once. */
function followPulls(loop: Loop, { leads, signal }: Term): PullRequestWatch {
  const onMerged = (): void => {
    loop.main.expire();
    loop.wake();
  };
  return watchPullRequests({ ...loop.parts, onMerged, leads }, signal);
}

/** What cannot be saved any more is seen again by the next process. */
async function saveLast({ parts, sources, effects }: Loop): Promise<void> {
  try {
    await saveBeforeEnd(sources, effects);
  } catch (error) {
    parts.log.warn({ error }, "the healthy time of bakes could not be saved before the end; it is counted again");
  }
}

/** One look in its time; a fault is logged, and the next one starts afresh. */
async function lookOnce(loop: Loop, pulls: PullRequestWatch, people: PeopleWatch, signal: AbortSignal): Promise<void> {
  const { clock, log, onReconcile } = loop.parts;
  const began = clock.monotonic();
  let succeeded = false;
  try {
    succeeded = await reconcile(loop, pulls, people, signal);
  } catch (error) {
    if (!signal.aborted) log.error({ error }, "the planner's look failed; nothing new starts until one succeeds");
  }
  onReconcile?.(clock.monotonic() - began, succeeded);
}

/** Leads for one term, with a memory that begins as a new process's does: another planner may have led before. */
async function lead(parts: PlannerParts, term: Term): Promise<void> {
  const { signal } = term;
  const trigger = createReconcileTrigger(parts.clock);
  const { link } = parts;
  const protection = link && watchProtection({ ...parts, scm: link.scm, onChange: trigger.now }, signal);
  const loop = buildLoop(parts, term, trigger.now, protection);
  const inventory = parts.bus.bucket("inventory");
  await followInventory(inventory, loop.sources.inventory, parts.clock, trigger.now, signal, loop.seeder.renew);
  await followRequests(loop.effects.control, loop.open, trigger.now, signal);
  await parts.bus.listen("meshroll.v1.batch.v1.ended", trigger.now, signal);
  const packing = keepCloneSmall(parts, signal);
  const pulls = followPulls(loop, term);
  loop.followed.watch = pulls;
  const people = followPeople({ ...parts, rerenderer: pulls, leads: term.leads }, signal);
  // A hint only says "now": what main is, the fetch tells. Whatever its body says, it costs one fetch at most.
  const onHint = (): void => {
    loop.main.hint();
    trigger.now();
    pulls.wake();
    people.wake();
  };
  await parts.bus.listen("meshroll.v1.hint.v1.github", onHint, signal);
  await protection?.begin();
  await loop.main.recall();
  while (!signal.aborted) {
    const leads = term.leads();
    parts.onTurn?.(leads);
    if (leads) await lookOnce(loop, pulls, people, signal);
    await trigger.wait(idleMs, signal);
  }
  await Promise.all([
    // Every step of it is found again by the next process: a GitHub that hangs must not keep this one from its end.
    Promise.race([Promise.all([pulls.done, people.done, packing]), parts.clock.sleepReal(endMs)]),
    Promise.race([term.leads() ? saveLast(loop) : undefined, parts.clock.sleepReal(lastRecordMs)]),
  ]);
}

/** Runs the planner until the signal aborts: it leads while it has the lease, and else waits for it. */
export async function runPlanner(parts: PlannerParts, signal: AbortSignal): Promise<void> {
  const { bus, holder, clock, log } = parts;
  const trigger = createReconcileTrigger(clock);
  const lease = createLease({ bucket: bus.bucket("status"), key: "leader", holder, clock });
  const leadership = await followLease({ lease, clock, log, onTerm: trigger.now }, signal);
  while (!signal.aborted) {
    const term = leadership.term();
    if (term !== undefined) await lead(parts, term);
    parts.onTurn?.(false);
    if (!signal.aborted && leadership.term() === undefined) await trigger.wait(idleMs, signal);
  }
  await Promise.race([leadership.end(), clock.sleepReal(endMs)]);
}
