import { lookUp } from "#libs/input";
import type { KeyValue } from "#libs/bus";
import { readStatus } from "#libs/events";
import type { Forge } from "#libs/github";
import type { FleetStatus, World } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import { createWake } from "../wake.ts";
import type { Replanner } from "./answer-command.ts";
import { createCommentMemory, followComments } from "./follow-comments.ts";
import { nameAsk } from "./make-ask.ts";

export interface WatchCommentParts {
  readonly forge: Forge;
  /** KV `control` and `status` of the bus. */
  readonly control: KeyValue;
  readonly status: KeyValue;
  readonly clock: Clock;
  readonly log: Logger;
  /** New comments are looked for at least so often, real ms. */
  readonly pollMs: number;
  readonly replanner: Replanner | undefined;
  readonly wall: () => number;
}

/** Comments on pull requests and the dashboard, followed beside the planner's looks: they never hold one up. */
export interface CommentWatch {
  /** The newest look: what commands are judged by from now on. */
  notice(world: World): void;
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

/** Follows comments until the signal aborts; before the first look nobody knows what they are about. */
export function watchComments(parts: WatchCommentParts, signal: AbortSignal): CommentWatch {
  const { forge, control, status, clock, log, replanner, wall } = parts;
  const wake = createWake(clock);
  const memory = createCommentMemory();
  let newest: World | undefined;

  async function lookOnce(world: World): Promise<void> {
    try {
      const read = async (): Promise<FleetStatus | undefined> => fetchStatus(status);
      await followComments({ forge, control, readStatus: read, replanner, wall, log }, memory, world);
    } catch (error) {
      log.warn({ error }, "comments could not be followed to the end; it is tried again by itself");
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      if (newest !== undefined) {
        await lookOnce(newest);
        await clock.sleepReal(restMs, signal).catch(() => undefined);
      }
      await wake.wait(memory.pending.size > 0 ? Math.min(pendingMs, parts.pollMs) : parts.pollMs, signal);
    }
  }

  return {
    notice(world) {
      const isFirst = newest === undefined;
      newest = world;
      const asks = world.ledger?.asks ?? {};
      const isAnswered = [...memory.pending.keys()].some((id) => lookUp(asks, nameAsk(id)) !== undefined);
      if (isFirst || isAnswered) wake.now();
    },
    wake: () => wake.now(),
    done: run(),
  };
}
