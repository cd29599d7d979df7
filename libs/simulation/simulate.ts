import { lookUp } from "#libs/input";
import type { Campaign } from "#libs/campaign";
import {
  type Batch,
  chooseSaveEvery,
  type Decision,
  judgeStages,
  parseTime,
  type ProposedStage,
  settingsOf,
  type Spec,
  type StageVerdict,
  evaluateFleet,
} from "#libs/plan";
import { type Reason, type RenderedReason, renderReason } from "#libs/wording";

import type { Cause, SimulatedEnd, SimulatedRun } from "./answer/answer.ts";
import { EventQueue } from "./clock/event-queue.ts";
import { findCause } from "./answer/find-cause.ts";
import { Remediator } from "./executor/look-after.ts";
import { type Chance, Mover } from "./executor/mover.ts";
import { type PlannerReconcile, SimulatedPlanner } from "./planner/planner.ts";
import type { StartCluster, SimulatedCluster } from "./cluster/simulated-cluster.ts";
import type { SimulatedEvent } from "./clock/simulated-event.ts";
import { SimulationSnapshot } from "./cluster/simulation-world.ts";
import { nameRuns } from "./answer/name-runs.ts";
import { StageLog } from "./answer/stage-log.ts";

/** The files and the fleet to simulate, from `start` (epoch ms) on. */
export interface SimulationQuestion extends Chance {
  /** Main's head. Its campaigns are ignored; only the given one is simulated. */
  readonly head: Spec;
  readonly campaign: Campaign;
  readonly clusters: readonly StartCluster[];
  readonly start: number;
  /** Called for each batch when it is handed out. */
  readonly onBatch?: (batch: Batch, at: number) => void;
  /** Reconcile the whole fleet each time, as a planner does: slower, with the same result. */
  readonly lookAtAll?: true;
}

/** The longest simulated time, ms. */
const horizonMs = 2 * 365 * 86_400_000;
type Waiting = Extract<Decision, { readonly kind: "wait" }>;

const nothingLeft: Reason = { code: "NothingLeft" };

/** One simulation of one campaign: a loop over `decide` that jumps to the next time at which something can change. */
class Simulation {
  readonly #question: SimulationQuestion;
  readonly #snapshot: SimulationSnapshot;
  readonly #events = new EventQueue<SimulatedEvent>();
  readonly #log = new StageLog();
  readonly #mover: Mover;
  readonly #remediator: Remediator;
  readonly #planner: SimulatedPlanner;
  #pull: ProposedStage | undefined;

  constructor(question: SimulationQuestion) {
    this.#question = question;
    this.#snapshot = new SimulationSnapshot(question.head, question.campaign, question.clusters, question);
    this.#mover = new Mover(this.#snapshot, this.#events, question, {
      handedOut: (batch) => {
        this.#log.handedOut(batch, this.#snapshot.now);
        question.onBatch?.(batch, this.#snapshot.now);
      },
      settled: () => this.#log.settled(this.#snapshot.now),
    });
    this.#remediator = new Remediator(this.#snapshot, this.#events, this.#mover);
    this.#planner = new SimulatedPlanner(this.#snapshot, question.lookAtAll === true, (turned) => {
      for (const { run, steps } of turned.change.runs ?? [])
        if (steps.some(({ kind }) => kind === "ended")) this.#log.ended(run, this.#snapshot.now);
    });
  }

  run(): SimulatedRun {
    const { seed, start } = this.#question;
    this.#mover.finishWhatRolls();
    const end = this.#go();
    const { handedOutInAll: handedOut } = this.#log;
    return { seed, start, stages: this.#log.list(), end, handedOut, reconciles: this.#planner.reconciles };
  }

  #go(): SimulatedEnd {
    for (;;) {
      this.#handleDue();
      const settled = this.#settle();
      const verdict = this.#judgeStage();
      if (verdict?.kind === "propose") this.#propose(verdict);
      const { now } = this.#snapshot;
      if (verdict?.kind === "complete" && !this.#mover.isAtWork) return { kind: "complete", at: now };
      const next = this.#findNext(verdict);
      if (next === undefined || next > this.#question.start + horizonMs) {
        const hasFailed = Object.values(this.#snapshot.ledger.stops).some(({ cause }) => cause === "failures");
        return { kind: "stuck", at: now, reason: this.#findReason(settled.decisions, verdict), hasFailed };
      }
      this.#log.passed(this.#findCause(settled.decisions), next - now);
      this.#snapshot.now = next;
    }
  }

  #findReason(decisions: readonly Decision[], verdict: StageVerdict | undefined): RenderedReason {
    return findReason(decisions, verdict, this.#snapshot, this.#question.campaign);
  }

  /** Handles all events whose time has come. */
  #handleDue(): void {
    for (;;) {
      const event = this.#events.takeUntil(this.#snapshot.now);
      if (event === undefined) return;
      this.#handle(event);
    }
  }

  #handle(event: SimulatedEvent): void {
    if (event.kind === "merge") {
      this.#planner.noticeAll();
      this.#merge();
      return;
    }
    const cluster = this.#snapshot.clusters.get(event.cluster);
    if (cluster !== undefined) this.#handleIn(cluster, event);
  }

  #handleIn(cluster: SimulatedCluster, event: Exclude<SimulatedEvent, { readonly kind: "merge" }>): void {
    // A failure in one cluster may stop the run in all of them.
    if (cluster.isTroubled) this.#planner.noticeAll();
    switch (event.kind) {
      case "settle":
        this.#mover.settle(cluster);
        return this.#planner.noticeSettled(cluster);
      case "end":
        // The planner sees it once it is published.
        return this.#mover.end(event);
      case "publish":
        this.#planner.noticeCluster(cluster.name);
        return this.#mover.publish(cluster);
      case "remediation":
        return this.#remediator.lookAfter(cluster);
      case "giveUp":
        return this.#mover.close(cluster, event.key);
    }
  }

  /** One reconcile of a planner: transitions, then batches. */
  #settle(): PlannerReconcile {
    const seen = this.#planner.reconcile();
    const evaluation = evaluateFleet(seen.snapshot, this.#snapshot.head);
    for (const view of evaluation.views) this.#log.began(view);
    for (const each of seen.decisions) if (each.kind === "handOut") this.#mover.handOut(each.batch, evaluation);
    this.#snapshot.noteWaiting(seen.snapshot);
    return seen;
  }

  /** The verdict on the campaign's next stage; undefined while a run or a pull request is open. */
  #judgeStage(): StageVerdict | undefined {
    if (this.#snapshot.openRun !== undefined || this.#pull !== undefined) return undefined;
    this.#snapshot.showAll();
    const snapshot = this.#snapshot.reconcile();
    return judgeStages(snapshot, this.#snapshot.head, evaluateFleet(snapshot, this.#snapshot.head))[0];
  }

  /** Opens the stage's pull request, which is merged after the approval time or its notice. */
  #propose(stage: ProposedStage): void {
    this.#pull = stage;
    const { now } = this.#snapshot;
    this.#log.proposed(stage.stage.name, now);
    const { settings } = stage.stage;
    const notice = settings.autoMerge?.notice;
    const { approval, reaction } = this.#question.timing;
    const isAsked = notice === undefined || settings.approvals.required > 0;
    const wait = Math.max(isAsked ? approval : 0, notice ?? 0);
    this.#events.add({ kind: "merge", at: now + wait + reaction });
  }

  #merge(): void {
    if (this.#pull === undefined) return;
    this.#snapshot.merge(this.#pull);
    this.#pull = undefined;
    this.#log.merged(this.#snapshot.now);
  }

  #findCause(decisions: readonly Decision[]): Cause {
    if (this.#mover.isAtWork || this.#planner.isDelaying) return "restarting";
    const { settings } = this.#pull?.stage ?? {};
    if (settings === undefined) return findCause(decisions, this.#snapshot.ledger);
    const notice = settings.autoMerge?.notice;
    return notice !== undefined && notice >= this.#question.timing.approval ? "notice" : "approval";
  }

  /** The next time at which something can change; undefined when nothing will. */
  #findNext(verdict: StageVerdict | undefined): number | undefined {
    const { now } = this.#snapshot;
    const held = verdict?.kind === "wait" && verdict.reason.until !== undefined ? parseTime(verdict.reason.until) : 0;
    const own = [...(held > now ? [held] : []), ...this.#listWaitEnds(), ...this.#listBakeSteps()];
    const forAll = Math.min(Infinity, ...own);
    const next = Math.min(this.#events.nextAt ?? Infinity, this.#planner.nextAt, forAll);
    if (next === forAll) this.#planner.noticeAll();
    return next === Infinity ? undefined : next;
  }

  /** When the waits for owners end by the run's time limit. */
  #listWaitEnds(): readonly number[] {
    const { waitingSince, ledger, head, now } = this.#snapshot;
    if (waitingSince.size === 0) return [];
    const open = Object.values(ledger.runs).filter(({ state }) => state === "open");
    const limits = new Set(open.map((run) => settingsOf(head, run).batch.readinessTimeout));
    const ends = [...waitingSince.values()].flatMap((since) => [...limits].map((limit) => since + limit));
    return ends.filter((at) => at > now);
  }

  /** When bakes are saved next. */
  #listBakeSteps(): readonly number[] {
    const { ledger, head, now } = this.#snapshot;
    return Object.values(ledger.runs).flatMap((run) => {
      const { state, bake } = run;
      if (state !== "open" || bake === undefined) return [];
      const needed = settingsOf(head, run).bake;
      const at = parseTime(bake.savedAt) + Math.ceil(Math.min(chooseSaveEvery(needed), needed - bake.healthyMs));
      return at > now ? [at] : [];
    });
  }
}

/** Why nothing continues: a stop first, else what the stage waits for, else what its workloads wait for. */
function chooseReason(decisions: readonly Decision[], verdict: StageVerdict | undefined): Reason {
  if (verdict?.kind === "wait") return verdict.reason;
  const waits = decisions.filter((each): each is Waiting => each.kind === "wait");
  const stopped = waits.find(({ reason }) => reason.code === "Stopped");
  return (stopped ?? waits[0])?.reason ?? nothingLeft;
}

/** The reason for people, with runs named by their stage, because their ids are made up and useless in commands. */
function findReason(
  decisions: readonly Decision[],
  verdict: StageVerdict | undefined,
  { ledger }: SimulationSnapshot,
  { owners }: Campaign,
): RenderedReason {
  const chosen = chooseReason(decisions, verdict);
  const { command: _, owner, ...reason } = renderReason(nameRuns(chosen, ledger.runs));
  const cause = chosen.code === "Stopped" ? lookUp(ledger.stops, chosen.stop.id)?.cause : undefined;
  // Stops that meshroll placed by itself are ended by a person.
  const isGuards = cause !== undefined && cause !== "verb" && cause !== "rollback";
  return { ...reason, owner: isGuards && owners.length > 0 ? owners.join(", ") : owner };
}

/** Simulates a campaign from its files and a fleet; the same question gives the same answer. */
export function simulate(question: SimulationQuestion): SimulatedRun {
  return new Simulation(question).run();
}
