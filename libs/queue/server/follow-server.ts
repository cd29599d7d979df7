import { type Clock, ConfigProblems, type TlsMaterial } from "#libs/runtime";

import { QueueUnavailable } from "../errors.ts";
import { judgeServer, type QueueVerdict } from "./judge-server.ts";
import { describeAddress } from "../names.ts";
import { probeQueue, type QueueProbe } from "./probe.ts";
import { makeTrouble, printQueueTrouble, type QueueTrouble } from "../troubles.ts";

export interface FollowOptions {
  readonly url: string;
  readonly tls?: TlsMaterial | undefined;
  /** The variable that holds the URL: a server that cannot serve us is a problem of it. */
  readonly variable: string;
  readonly clock: Clock;
  /** Told whenever the list is another one; empty when all is fixed. */
  readonly onProblems: (problems: readonly QueueTrouble[]) => void;
  /** @internal For tests. */
  readonly probe?: (url: string, tls?: TlsMaterial) => Promise<QueueProbe>;
}

/** Real ms: one that is full is to be named within ten seconds, whether anything is handed out or not. */
const reconcileEveryMs = 5_000;

/** Undefined while the server does not answer: the queue's own calls say that. One that refuses us does answer. */
async function inspect({ url, tls, probe = probeQueue }: FollowOptions): Promise<QueueVerdict | undefined> {
  try {
    return judgeServer(await probe(url, tls), describeAddress(url));
  } catch (error) {
    if (error instanceof QueueUnavailable)
      return error.trouble.code === "QueueDown" ? undefined : { problems: [error.trouble] };
    throw error;
  }
}

/**
 * Looks at the Redis now and every five seconds until the signal aborts, and tells what is wrong with it. Throws
 * `ConfigProblems` when it answers now and is too old; later that is one of the problems, as a process that works is not
 * ended for it.
 */
export async function followQueueServer(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const first = await inspect(options);
  if (first?.refusal !== undefined) throw new ConfigProblems([{ name: options.variable, message: first.refusal }]);
  let told = "";

  function tell({ refusal, problems }: QueueVerdict): void {
    const all = refusal === undefined ? problems : [makeTrouble("QueueTooOld", refusal), ...problems];
    const text = all.map(printQueueTrouble).join("\n");
    if (text !== told) options.onProblems(all);
    told = text;
  }

  async function keep(verdict: QueueVerdict | undefined): Promise<void> {
    let last = verdict;
    while (!signal.aborted) {
      if (last !== undefined) tell(last);
      await options.clock.sleepReal(reconcileEveryMs, signal);
      last = await inspect(options);
    }
  }
  keep(first).catch((error: unknown) => {
    if (!signal.aborted)
      tell({ problems: [makeTrouble("QueueUnknown", `the Redis could not be looked at: ${String(error)}`)] });
  });
}
