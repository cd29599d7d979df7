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
  /** Starts a process; tests pass their own. */
  readonly start?: (limits: JudgeLimits) => JudgeProcess;
}

const codes: Readonly<Record<End, RefusalCode>> = {
  time: "JudgeTimeLimit",
  memory: "JudgeMemoryLimit",
  broken: "JudgeFault",
};

/** The process ends itself at its limit if it can; after this time more it is killed, real ms. */
const graceMs = 2000;

/** A running process, and the snapshot that it has; a new process has none. */
interface Worker {
  readonly process: JudgeProcess;
  readonly writeUpdate: ReturnType<typeof createSnapshotWriter>;
  snapshot?: Snapshot;
}

function describeEnd(end: End, why: string, { timeMs, memoryMib }: JudgeLimits): string {
  if (end === "time") return `judging it took longer than ${timeMs / 1000} s`;
  return end === "memory" ? `judging it took more than ${memoryMib} MiB (${why})` : why;
}

/**
 * Judges in a child process, which is killed when a pull request exceeds its time or memory. The process is kept for the next
 * question, with the snapshot that it has; after a kill the next question starts a new one.
 */
export function createChildJudge({
  clock,
  start = startJudgeProcess,
  ...options
}: ChildJudgeOptions): PullRequestJudge {
  const limits: JudgeLimits = { ...judgeLimits, ...options.limits };
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  function ensureWorker(): Worker {
    if (worker === undefined || worker.process.hasEnded())
      worker = { process: start(limits), writeUpdate: createSnapshotWriter() };
    return worker;
  }

  async function request({ process }: Worker, message: ToJudge, limitMs: number): Promise<Reply> {
    const enough = new AbortController();
    const limit = clock
      .sleepReal(limitMs, enough.signal)
      .then(() => process.kill("time", `it did not answer within ${limitMs / 1000} s`))
      .catch(() => undefined);
    try {
      return await process.request(message);
    } finally {
      enough.abort();
      await limit;
    }
  }

  /** Sends what changed; undefined once the process has the snapshot. */
  async function sendSnapshot(to: Worker, snapshot: Snapshot): Promise<JudgeAnswer | undefined> {
    if (to.snapshot === snapshot) return undefined;
    const reply = await request(to, { kind: "snapshot", update: to.writeUpdate(snapshot) }, limits.startMs);
    if (reply.kind === "answered" && reply.message.kind === "ready") {
      to.snapshot = snapshot;
      return undefined;
    }
    const why = reply.kind === "ended" ? describeStart(reply) : "the judge's process does not accept the snapshot";
    to.process.kill("broken", why);
    return { kind: "unavailable", why };
  }

  function describeStart({ end, why }: Extract<Reply, { readonly kind: "ended" }>): string {
    if (end !== "memory") return `the judge's process does not start: ${why}`;
    return `the fleet does not fit into the judge's ${limits.memoryMib} MiB: raise MESHROLL_JUDGE_MEMORY_MIB`;
  }

  async function judge(snapshot: Snapshot, question: JudgeQuestion): Promise<JudgeAnswer> {
    if (isClosed) return { kind: "unavailable", why: "the planner ends" };
    const current = ensureWorker();
    const refused = await sendSnapshot(current, snapshot);
    if (refused !== undefined) return refused;
    const reply = await request(current, { kind: "question", question }, limits.timeMs + graceMs);
    if (reply.kind === "ended") {
      return { kind: "refused", code: codes[reply.end], why: describeEnd(reply.end, reply.why, limits) };
    }
    if (reply.message.kind === "judged") return reply.message;
    const why = reply.message.kind === "fault" ? reply.message.why : "the judge's process sent an invalid answer";
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
      worker?.process.kill("broken", "the planner ends");
    },
  };
}
