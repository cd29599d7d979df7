import type { RolloutsRepository } from "#libs/git";
import type { StagePull, Snapshot } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import { createReconcileTrigger } from "../loop/reconcile-trigger.ts";
import { createFollow } from "./create-follow.ts";
import { type FollowParts, followOnce, listOutage } from "./follow-once.ts";
import { isDown, readAsked, type ScmLink } from "./scm-link.ts";
import { listHandRollbacks } from "./rollback/hand-rollbacks.ts";
import { listHandStages } from "./stages/hand-stages.ts";
import { JudgeUnavailable, waitForJudge } from "./checks/refuse-pull.ts";
import { findReason } from "../loop/name-refusal.ts";
import { makeWait, type Wait } from "../loop/make-wait.ts";

export interface WatchParts {
  /** Absent = no SCM: rollbacks and stages then name the commands for a person. */
  readonly link?: ScmLink;
  /** The planner's own clone, which is used without an SCM. */
  readonly repository: RolloutsRepository;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called after a merge: main should be read at once. */
  readonly onMerged: () => void;
  /** False while another planner may lead: then nothing is read or written. */
  readonly leads: () => boolean;
  /** URL of the page, which checks link to; absent = they link to the SCM's own page. */
  readonly page?: string;
}

/** Pull requests, followed in parallel with the planner's reconciles: no reconcile waits for them. */
export interface PullRequestWatch {
  /** The newest snapshot, by which pull requests are judged from now on. */
  notice(snapshot: Snapshot): void;
  /** A webhook said that something changed. */
  wake(): void;
  /** What pull requests wait for now. */
  waits(): readonly Wait[];
  /** Stage pull requests as the SCM last returned them, by branch; undefined without an SCM, and before the first round. */
  pulls(): ReadonlyMap<string, StagePull> | undefined;
  /** Resets a branch to what is proposed, because a person asked; called again while it returns `pending`. */
  rerender(branch: string): "done" | "pending" | "refused";
  /** Resolves after the signal aborted, once no write is in flight. */
  readonly done: Promise<void>;
}

/** Time between rounds without an SCM, real ms: nothing is polled, and a change of the ledger starts one at once. */
const idleMs = 30_000;
/** Shortest time between two rounds, real ms: a run writes many ledger commits in a row, and each round is a fetch. */
const restMs = 1000;

/** What changes verdicts at once; changes of the fleet wait for the next poll. */
function nameSnapshot({ main, ledger, requests }: Snapshot): string {
  return [main.head, ledger?.head ?? "", ...requests.map(({ id }) => id)].join(" ");
}

/** What a round found. */
interface Round {
  readonly waits: readonly Wait[];
  /** How long the SCM asked to wait, real ms: the next round follows then, and begins with rollbacks. */
  readonly againAfterMs?: number | undefined;
}

async function runRound(parts: WatchParts, follow: FollowParts | undefined, snapshot: Snapshot): Promise<Round> {
  try {
    if (follow === undefined) {
      const rollbacks = await listHandRollbacks(parts, snapshot);
      return { waits: [...rollbacks, ...(await listHandStages(parts.repository, snapshot))] };
    }
    return { waits: await followOnce(follow, snapshot) };
  } catch (error) {
    parts.log.warn({ error }, "pull requests could not be followed to the end; it is tried again by itself");
    if (isDown(error)) return { waits: listOutage(snapshot, error), againAfterMs: readAsked(error) };
    if (error instanceof JudgeUnavailable) return { waits: [waitForJudge(error)] };
    return { waits: [makeWait("all", findReason(error, "PullRequestsFailed"))] };
  }
}

/** Follows pull requests until the signal aborts. The first round waits for the first snapshot. */
export function watchPullRequests(parts: WatchParts, signal: AbortSignal): PullRequestWatch {
  const { link, clock } = parts;
  const trigger = createReconcileTrigger(clock);
  const follow = link === undefined ? undefined : createFollow(link, parts);
  let newest: Snapshot | undefined;
  let waits: readonly Wait[] = [];

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let pauseMs = link?.pollMs ?? idleMs;
      if (newest !== undefined && parts.leads()) {
        const round = await runRound(parts, follow, newest);
        waits = round.waits;
        pauseMs = Math.min(pauseMs, round.againAfterMs ?? pauseMs);
        await clock.sleepReal(restMs, signal).catch(() => undefined);
      }
      await trigger.wait(pauseMs, signal);
    }
  }

  return {
    notice(snapshot) {
      const isNews = newest === undefined || nameSnapshot(newest) !== nameSnapshot(snapshot);
      newest = snapshot;
      if (isNews) trigger.now();
    },
    wake: () => trigger.now(),
    waits: () => waits,
    pulls: () => follow?.stagePulls,
    rerender(branch) {
      const rerenders = follow?.stages.rerenders;
      const state = rerenders?.get(branch);
      if (state === "done" || state === "refused") {
        rerenders?.delete(branch);
        return state;
      }
      if (state === undefined) rerenders?.set(branch, "asked");
      trigger.now();
      return "pending";
    },
    done: run(),
  };
}
