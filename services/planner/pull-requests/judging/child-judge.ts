import type { Snapshot } from "#libs/plan";
import type { Clock } from "#libs/runtime";

import type { ToJudge } from "./messages.ts";
import type { JudgeAnswer, JudgeQuestion, PullRequestJudge, RefusalCode } from "./port.ts";
import { type JudgeLimits, judgeLimits } from "./process-limits.ts";
import { createSnapshotWriter } from "./snapshot.ts";
import { type End, type JudgeProcess, type Reply, startJudgeProcess } from "./start-process.ts";

export interface ChildJudgeOptions {
  readonly clock: Pick<Clock, "sleepReal">;
  readonly limits?: Partial<JudgeLimits>;
  /** How a process is started; for tests. */
  readonly start?: (limits: JudgeLimits) => JudgeProcess;
}

const codes: Readonly<Record<End, RefusalCode>> = {
  time: "JudgeTimeLimit",
  memory: "JudgeMemoryLimit",
  broken: "JudgeFault",
};

/** It ends itself at its limit, if it still can: a moment later it is ended. */
const graceMs = 2000;

/** One process with the snapshot that it has; a new one begins without. */
interface Seat {
  readonly process: JudgeProcess;
  readonly write: ReturnType<typeof createSnapshotWriter>;
  has?: Snapshot;
}

function describeEnd(end: End, why: string, { timeMs, memoryMib }: JudgeLimits): string {
  if (end === "time") return `judging it took longer than ${timeMs / 1000} s`;
  return end === "memory" ? `judging it took more than ${memoryMib} MiB (${why})` : why;
}

/**
 * Judges in a process of its own, which is killed when a pull request takes more time or memory than it may. The process stays
 * for the next question, with the snapshot that it has; after it was killed, the next question starts another.
 */
export function createChildJudge({
  clock,
  start = startJudgeProcess,
  ...options
}: ChildJudgeOptions): PullRequestJudge {
  const limits: JudgeLimits = { ...judgeLimits, ...options.limits };
  let seat: Seat | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function sit(): Seat {
    if (seat === undefined || seat.process.hasEnded()) seat = { process: start(limits), write: createSnapshotWriter() };
    return seat;
  }

  async function request({ process }: Seat, message: ToJudge, limitMs: number): Promise<Reply> {
    const enough = new AbortController();
    const limit = clock
      .sleepReal(limitMs, enough.signal)
      .then(() => process.kill("time", `it said nothing for ${limitMs / 1000} s`))
      .catch(() => undefined);
    try {
      return await process.request(message);
    } finally {
      enough.abort();
      await limit;
    }
  }

  /** Undefined when the process has this very snapshot. */
  async function show(at: Seat, snapshot: Snapshot): Promise<JudgeAnswer | undefined> {
    if (at.has === snapshot) return undefined;
    const reply = await request(at, { kind: "snapshot", update: at.write(snapshot) }, limits.startMs);
    if (reply.kind === "said" && reply.message.kind === "ready") {
      at.has = snapshot;
      return undefined;
    }
    const why = reply.kind === "ended" ? describeStart(reply) : "the judge's process does not take the fleet in";
    at.process.kill("broken", why);
    return { kind: "unavailable", why };
  }

  function describeStart({ end, why }: Extract<Reply, { readonly kind: "ended" }>): string {
    if (end !== "memory") return `the judge's process does not start: ${why}`;
    return `the fleet does not fit into the judge's ${limits.memoryMib} MiB: raise MESHROLL_JUDGE_MEMORY_MIB`;
  }

  async function judge(snapshot: Snapshot, question: JudgeQuestion): Promise<JudgeAnswer> {
    if (isClosed) return { kind: "unavailable", why: "the planner ends" };
    const at = sit();
    const refused = await show(at, snapshot);
    if (refused !== undefined) return refused;
    const reply = await request(at, { kind: "question", question }, limits.timeMs + graceMs);
    if (reply.kind === "ended") {
      return { kind: "refused", code: codes[reply.end], why: describeEnd(reply.end, reply.why, limits) };
    }
    if (reply.message.kind === "judged") return reply.message;
    const why = reply.message.kind === "fault" ? reply.message.why : "the judge's process said what no judge says";
    return { kind: "refused", code: "JudgeFault", why: `judging it failed: ${why}` };
  }

  return {
    async judge(snapshot, question) {
      const mine = last.then(async () => judge(snapshot, question));
      last = mine.catch(() => undefined);
      return mine;
    },
    async close() {
      isClosed = true;
      seat?.process.kill("broken", "the planner ends");
    },
  };
}
