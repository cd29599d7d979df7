import type { Bus, KeyValue, LeaseHolder } from "#libs/bus";
import { type BatchJob, createInventoryFold } from "#libs/events";
import type { RolloutsRepository } from "#libs/git";
import { openLedger } from "#libs/ledger";
import { createRepositorySnapshots } from "#libs/repository";
import { NamespaceTree } from "#libs/plan";
import type { Prometheus } from "#libs/prometheus";
import type { BatchQueue } from "#libs/queue";
import type { Clock, Logger } from "#libs/runtime";
import type { Effects } from "./reconcile/act.ts";
import { createLedgerHealth } from "./loop/ledger-health.ts";
import { createOpenRequests, type OpenRequests, refuseRequest } from "./requests/follow-asks.ts";
import { createAnswerSweeper } from "./requests/forget-answers.ts";
import { createMemory, type Sources } from "./reconcile/gather.ts";
import { createMainReader, type MainReader } from "./repository/keep-main-read.ts";
import type { ProtectionWatch } from "./repository/watch-protection.ts";
import { createMeasurer, type Measurer } from "./measurements/measure.ts";
import { createReconcileDeadline, type ReconcileDeadline } from "./loop/reconcile-deadline.ts";
import type { ScmLink } from "./pull-requests/scm-link.ts";
import type { PullRequestWatch } from "./pull-requests/watch-pull-requests.ts";
import { createQueueHealth, type QueueHealth } from "./loop/queue-health.ts";
import { createNamespacePublisher } from "./publishing/publish-namespaces.ts";
import { createStatusPublisher } from "./publishing/publish-status.ts";
import { type ControlSeeder, createControlSeeder } from "./control/seed-control.ts";
import { createNotificationStore } from "./notifications/keep-notifications.ts";
import { createEventPublisher } from "./notifications/publish-events.ts";
import { createLedgerTeller } from "./notifications/tell-ledger.ts";
import { createPeopleTeller, type PeopleTeller } from "./notifications/tell-people.ts";
import type { Term } from "./loop/follow-lease.ts";

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

/** What the turns of one term share. */
export interface Loop {
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

/** Makes the parts of a term with an empty memory. */
export function buildLoop(
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
