import { type Clock, ConfigProblems, type TlsMaterial } from "#libs/runtime";

import { QueueUnavailable } from "../errors.ts";
import { judgeServer, type QueueVerdict } from "./judge-server.ts";
import { describeAddress } from "../names.ts";
import { probeQueue, type QueueProbe } from "./probe.ts";
import { makeTrouble, printQueueTrouble, type QueueTrouble } from "../troubles.ts";

export interface FollowOptions {
  readonly url: string;
  readonly tls?: TlsMaterial | undefined;
  /** The variable with the URL: a server that cannot be used is reported as a problem of it. */
  readonly variable: string;
  readonly clock: Clock;
  /** Called whenever the list changes; empty when all is fixed. */
  readonly onProblems: (problems: readonly QueueTrouble[]) => void;
  /** @internal For tests. */
  readonly probe?: (url: string, tls?: TlsMaterial) => Promise<QueueProbe>;
}

/** Real ms; a full server has to be reported within ten seconds. */
const checkEveryMs = 5_000;

/** Undefined while the server does not answer; the queue's own calls report that. */
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
 * Checks Redis now and every five seconds until the signal aborts, and reports what is wrong. Throws `ConfigProblems` when it
 * answers now and is too old; later that is only reported, because a working process is not ended for it.
 */
export async function followQueueServer(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const first = await inspect(options);
  if (first?.refusal !== undefined) throw new ConfigProblems([{ name: options.variable, message: first.refusal }]);
  let reported = "";

  function report({ refusal, problems }: QueueVerdict): void {
    const all = refusal === undefined ? problems : [makeTrouble("QueueTooOld", refusal), ...problems];
    const text = all.map(printQueueTrouble).join("\n");
    if (text !== reported) options.onProblems(all);
    reported = text;
  }

  async function checkAlways(verdict: QueueVerdict | undefined): Promise<void> {
    let last = verdict;
    while (!signal.aborted) {
      if (last !== undefined) report(last);
      await options.clock.sleepReal(checkEveryMs, signal);
      last = await inspect(options);
    }
  }
  checkAlways(first).catch((error: unknown) => {
    if (!signal.aborted)
      report({ problems: [makeTrouble("QueueUnknown", `Redis could not be checked: ${String(error)}`)] });
  });
}
