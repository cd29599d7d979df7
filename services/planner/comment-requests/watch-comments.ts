import { lookUp } from "#libs/input";
import type { KeyValue } from "#libs/bus";
import { readStatus } from "#libs/events";
import type { Scm } from "#libs/scm";
import type { FleetStatus, Snapshot } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import { createReconcileTrigger } from "../loop/reconcile-trigger.ts";
import type { Rerenderer } from "./answer-command.ts";
import { followComments } from "./follow-comments.ts";
import { createCommentMemory } from "./hear-comments.ts";
import { nameRequest } from "./make-ask.ts";

export interface WatchCommentParts {
  readonly scm: Scm;
  /** KV `control` and `status` of the bus. */
  readonly control: KeyValue;
  readonly status: KeyValue;
  readonly clock: Clock;
  readonly log: Logger;
  /** New comments are looked for at least so often, real ms. */
  readonly pollMs: number;
  readonly rerenderer: Rerenderer | undefined;
  readonly wall: () => number;
  /** False while another planner may lead: then nothing is read or answered. */
  readonly leads: () => boolean;
}

/** Comments on pull requests and the dashboard, followed in parallel with the planner's reconciles: they never delay one. */
export interface CommentWatch {
  /** The newest look: what commands are judged by from now on. */
  notice(snapshot: Snapshot): void;
  /** GitHub hinted that something changed. */
  wake(): void;
  /** Resolves after the signal aborted, when nothing is being written any more. */
  readonly done: Promise<void>;
}

/** Between two rounds, real ms: a flood of hints is no flood of requests. */
const restMs = 1000;
/** While something is on its way it is looked at so often, real ms; the ledger's answer wakes us at once. */
const pendingMs = 15_000;

async function fetchStatus(status: KeyValue): Promise<FleetStatus | undefined> {
  const value = (await status.get("fleet"))?.value;
  // The planner's own word, written by this very process or one like it.
  return value === undefined ? undefined : readStatus(value);
}

/** Follows comments until the signal aborts; before the first reconcile their subject is unknown. */
export function watchComments(parts: WatchCommentParts, signal: AbortSignal): CommentWatch {
  const { scm, control, status, clock, log, rerenderer, wall } = parts;
  const trigger = createReconcileTrigger(clock);
  const memory = createCommentMemory();
  let newest: Snapshot | undefined;

  async function reconcileOnce(snapshot: Snapshot): Promise<void> {
    try {
      const read = async (): Promise<FleetStatus | undefined> => fetchStatus(status);
      const parts = { scm, control, readStatus: read, rerenderer, wall, log };
      if (!(await followComments(parts, memory, snapshot))) trigger.now();
    } catch (error) {
      log.warn({ error }, "comments could not be followed to the end; it is tried again by itself");
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (newest !== undefined && parts.leads()) {
        await reconcileOnce(newest);
        await clock.sleepReal(restMs, signal).catch(() => undefined);
      }
      const isOpen = [...memory.waiting.values()].some(({ isGathered }) => isGathered !== true);
      await trigger.wait(isOpen ? Math.min(pendingMs, parts.pollMs) : parts.pollMs, signal);
    }
  }

  return {
    notice(snapshot) {
      const isFirst = newest === undefined;
      newest = snapshot;
      const requests = snapshot.ledger?.requests ?? {};
      const isAnswered = [...memory.waiting.keys()].some((id) => lookUp(requests, nameRequest(id)) !== undefined);
      if (isFirst || isAnswered) trigger.now();
    },
    wake: () => trigger.now(),
    done: run(),
  };
}
