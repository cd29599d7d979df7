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
import { createOpenRequests, type OpenRequests, refuseRequest } from "./requests/follow-requests.ts";
import { createAnswerSweeper } from "./requests/sweep-answers.ts";
import { createMemory, type Sources } from "./reconcile/gather.ts";
import { createMainReader, type MainReader } from "./repository/refresh-main.ts";
import type { ProtectionWatch } from "./repository/watch-protection.ts";
import { createMeasurer, type Measurer } from "./measurements/measure.ts";
import { createReconcileDeadline, type ReconcileDeadline } from "./loop/reconcile-deadline.ts";
import type { ScmLink } from "./pull-requests/scm-link.ts";
import type { PullRequestWatch } from "./pull-requests/watch-pull-requests.ts";
import { createQueueHealth, type QueueHealth } from "./loop/queue-health.ts";
import { createHistoryPublisher } from "./publishing/publish-history.ts";
import { createPictureStore, type PictureStore } from "./publishing/keep-pictures.ts";
import { createNamespacePublisher } from "./publishing/publish-namespaces.ts";
import { createStatusPublisher } from "./publishing/publish-status.ts";
import { createRunPublisher, type RunPublisher } from "./publishing/runs/publish-runs.ts";
import { type ControlSeeder, createControlSeeder } from "./control/seed-control.ts";
import { createNotificationStore } from "./notifications/notification-store.ts";
import { createEventPublisher } from "./notifications/publish-events.ts";
import { createLedgerPublisher } from "./notifications/publish-ledger-events.ts";
import { createPeopleNotifier, type PeopleNotifier } from "./notifications/notify-people.ts";
import type { Term } from "./loop/follow-lease.ts";

export interface PlannerParts {
  /** The installation that this planner serves; a ledger whose baseline names another one is not used. */
  readonly installation: string;
  /** This process among the planners of its installation; the lease says which of them leads. */
  readonly holder: LeaseHolder;
  readonly repository: RolloutsRepository;
  readonly bus: Bus;
  readonly queue: BatchQueue<BatchJob>;
  /** What is known to be wrong with Redis; absent = only what its calls report. */
  readonly queueHealth?: QueueHealth;
  readonly clock: Clock;
  readonly log: Logger;
  /** Longest time between two fetches of main, real ms. */
  readonly gitPollMs: number;
  /** Called at each turn of the loop, with whether this planner leads; for health and metrics. */
  readonly onTurn?: (leads: boolean) => void;
  /** Called after each reconcile, with its duration in real ms and whether it succeeded; for metrics. */
  readonly onReconcile?: (ms: number, succeeded: boolean) => void;
  /**
   * Absent = no SCM: no checks are posted, rollbacks name the commands for a person, and rules for the ledger's branch are not
   * read.
   */
  readonly link?: ScmLink;
  /** URL of the page, for links to it; absent = no links. */
  readonly page?: string;
  /** Absent = query gates have no data, and say why. */
  readonly prometheus?: Prometheus;
}

/** What the reconciles of one term share. */
export interface Loop {
  readonly parts: PlannerParts;
  readonly sources: Sources;
  readonly effects: Effects;
  readonly openRequests: OpenRequests;
  readonly status: KeyValue;
  readonly publishStatus: ReturnType<typeof createStatusPublisher>;
  readonly publishNamespaces: ReturnType<typeof createNamespacePublisher>;
  readonly publishHistory: ReturnType<typeof createHistoryPublisher>;
  readonly pictures: PictureStore;
  readonly runs: RunPublisher;
  readonly sweepAnswers: () => Promise<void>;
  readonly seeder: ControlSeeder;
  readonly measurer: Measurer;
  readonly wake: () => void;
  /** `watch` is set once pull requests are followed: the next snapshot includes the stages' pull requests that it found. */
  readonly followed: { watch?: PullRequestWatch };
  readonly deadline: ReconcileDeadline;
  readonly mainReader: MainReader;
  /** Publishes events about transitions and waits. */
  readonly notifications: PeopleNotifier;
}

/** Builds the parts of one term, with an empty memory. */
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
  const ledgerPublisher = createLedgerPublisher({ repository: parts.repository, publish, log });
  const store = createNotificationStore(status, clock);
  const pictures = createPictureStore({
    bucket: status,
    clock,
    log,
    isFull: () => bus.trouble()?.code === "BusFull",
    leads,
  });
  const monotonic = (): number => clock.monotonic();
  const notifications = createPeopleNotifier({ store, ledgerPublisher, publish, forget, monotonic });
  const memory = createMemory();
  const runs = createRunPublisher({ bucket: status, clock, log, leads });
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
      publishRecorded: async (snapshot) =>
        notifications
          .publishRecorded(snapshot)
          .catch((error: unknown) => log.warn({ error }, "people are not notified")),
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
    openRequests: open,
    status,
    publishStatus: createStatusPublisher(status, clock, parts.page, {
      onStatus: (each) => runs.notice(each),
      onPublished: pictures.noteStatus,
    }),
    publishNamespaces: createNamespacePublisher(status, clock, pictures.noteTable),
    pictures,
    publishHistory: createHistoryPublisher({ bucket: status, repository: parts.repository, clock, log, leads }),
    runs,
    sweepAnswers: createAnswerSweeper(status, clock, log),
    seeder,
    measurer,
    wake,
    followed,
    deadline,
    mainReader: createMainReader({
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
