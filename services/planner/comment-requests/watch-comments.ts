import { lookUp } from "#libs/input";
import type { KeyValue } from "#libs/bus";
import { readStatus } from "#libs/events";
import type { Scm } from "#libs/scm";
import type { FleetStatus, Snapshot } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import { createReconcileTrigger } from "../loop/reconcile-trigger.ts";
import type { Rerenderer } from "./answer-command.ts";
import { followComments } from "./follow-comments.ts";
import { createCommentMemory } from "./collect-comments.ts";
import { nameRequest } from "./make-request.ts";

export interface WatchCommentParts {
  readonly scm: Scm;
  /** KV `control` and `status` of the bus. */
  readonly control: KeyValue;
  readonly status: KeyValue;
  readonly clock: Clock;
  readonly log: Logger;
  /** Longest time between two rounds, real ms. */
  readonly pollMs: number;
  readonly rerenderer: Rerenderer | undefined;
  readonly wall: () => number;
  /** False while another planner may lead: then nothing is read or answered. */
  readonly leads: () => boolean;
}

/** Comments on pull requests and the dashboard, followed in parallel with the reconciles: no reconcile waits for them. */
export interface CommentWatch {
  /** The newest snapshot, by which commands are judged from now on. */
  notice(snapshot: Snapshot): void;
  /** A webhook said that something changed. */
  wake(): void;
  /** Resolves after the signal aborted, once no write is in flight. */
  readonly done: Promise<void>;
}

/** Shortest time between two rounds, real ms, so that a flood of hints does not become a flood of calls. */
const restMs = 1000;
/** Time between rounds while a command is not answered, real ms; a change of the ledger starts one at once. */
const pendingMs = 15_000;

async function fetchStatus(status: KeyValue): Promise<FleetStatus | undefined> {
  const value = (await status.get("fleet"))?.value;
  // A planner of this version wrote it.
  return value === undefined ? undefined : readStatus(value);
}

/** Follows comments until the signal aborts. The first round waits for the first snapshot. */
export function watchComments(parts: WatchCommentParts, signal: AbortSignal): CommentWatch {
  const { scm, control, status, clock, log, rerenderer, wall } = parts;
  const trigger = createReconcileTrigger(clock);
  const memory = createCommentMemory();
  let newest: Snapshot | undefined;

  async function runRound(snapshot: Snapshot): Promise<void> {
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
        await runRound(newest);
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
