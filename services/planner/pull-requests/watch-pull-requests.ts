import type { RolloutsRepository } from "#libs/git";
import type { StagePull, Snapshot } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import { createReconcileTrigger } from "../loop/reconcile-trigger.ts";
import { createFollow } from "./create-follow.ts";
import { type FollowParts, followOnce, listOutage } from "./follow-once.ts";
import { isDown, type ScmLink } from "./scm-link.ts";
import { listHandRollbacks } from "./rollback/hand-rollbacks.ts";
import { listHandStages } from "./stages/hand-stages.ts";
import { JudgeUnavailable, waitForJudge } from "./checks/refuse-pull.ts";
import { findReason } from "../loop/name-refusal.ts";
import { makeWait, type Wait } from "../loop/make-wait.ts";

export interface WatchParts {
  /** Absent: no GitHub; rollbacks then name what a person types. */
  readonly link?: ScmLink;
  /** The planner's own clone, read without GitHub. */
  readonly repository: RolloutsRepository;
  readonly clock: Clock;
  readonly log: Logger;
  /** Main moved by our own hand: it should be read now. */
  readonly onMerged: () => void;
  /** False while another planner may lead: then nothing is read or written. */
  readonly leads: () => boolean;
  /** Where people open the page: checks lead to it; absent = to GitHub's own page. */
  readonly page?: string;
}

/** Pull requests, followed in parallel with the planner's reconciles: they never delay one. */
export interface PullRequestWatch {
  /** The newest look: what pull requests are judged by from now on. */
  notice(snapshot: Snapshot): void;
  /** GitHub hinted that something changed. */
  wake(): void;
  /** What waits now, by name. */
  waits(): readonly Wait[];
  /** Stage pull requests as GitHub last told, by branch; undefined without GitHub, and before the first round. */
  pulls(): ReadonlyMap<string, StagePull> | undefined;
  /** A person wants the branch to say again what is proposed; asked again until it is answered. */
  rerender(branch: string): "done" | "pending" | "refused";
  /** Resolves after the signal aborted, when nothing is being written any more. */
  readonly done: Promise<void>;
}

/** Without GitHub there is nothing to poll: a change of the ledger wakes it at once. */
const idleMs = 30_000;
/** Between two rounds, real ms: a run writes many ledger commits in a row, and each of them would be a fetch. */
const restMs = 1000;

/** What of a snapshot changes a verdict at once; the fleet's counts wait for the next poll. */
function nameSnapshot({ main, ledger, requests }: Snapshot): string {
  return [main.head, ledger?.head ?? "", ...requests.map(({ id }) => id)].join(" ");
}

async function reconcileOnce(
  parts: WatchParts,
  follow: FollowParts | undefined,
  snapshot: Snapshot,
): Promise<readonly Wait[]> {
  try {
    if (follow === undefined) {
      const rollbacks = await listHandRollbacks(parts, snapshot);
      return [...rollbacks, ...(await listHandStages(parts.repository, snapshot))];
    }
    return await followOnce(follow, snapshot);
  } catch (error) {
    parts.log.warn({ error }, "pull requests could not be followed to the end; it is tried again by itself");
    if (isDown(error)) return listOutage(snapshot, error);
    if (error instanceof JudgeUnavailable) return [waitForJudge(error)];
    return [makeWait("all", findReason(error, "PullRequestsFailed"))];
  }
}

/** Follows pull requests until the signal aborts; before the first reconcile there is nothing to judge them by. */
export function watchPullRequests(parts: WatchParts, signal: AbortSignal): PullRequestWatch {
  const { link, clock } = parts;
  const trigger = createReconcileTrigger(clock);
  const follow = link === undefined ? undefined : createFollow(link, parts);
  let newest: Snapshot | undefined;
  let waits: readonly Wait[] = [];

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (newest !== undefined && parts.leads()) {
        waits = await reconcileOnce(parts, follow, newest);
        await clock.sleepReal(restMs, signal).catch(() => undefined);
      }
      await trigger.wait(link?.pollMs ?? idleMs, signal);
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
