import type { RolloutsRepository } from "#libs/git";
import {
  isWholeFile,
  listRequestedRollbacks,
  type RequestedRollback,
  listWantedBuckets,
  proposeRollback,
  rolloutsPath,
  waitForHand,
  type Snapshot,
} from "#libs/plan";
import { doEach, type Logger } from "#libs/runtime";

import type { Wait } from "../../loop/make-wait.ts";
import { isDown } from "../scm-link.ts";
import { reportFailed } from "./follow-rollback.ts";

/**
 * Without an SCM no pull request is opened: a wait for each rollback that main does not say yet, with the commands for a
 * person.
 */
export async function listHandRollbacks(
  { repository, log }: { readonly repository: RolloutsRepository; readonly log: Pick<Logger, "warn"> },
  snapshot: Snapshot,
): Promise<readonly Wait[]> {
  const waits: Wait[] = [];
  const { ledger } = snapshot;
  if (ledger === undefined) return waits;
  const list = async (asked: RequestedRollback): Promise<void> => {
    const headText = await repository.read(snapshot.main.head, rolloutsPath);
    const oldText = await repository.read(asked.to, rolloutsPath);
    const buckets = listWantedBuckets(ledger, asked.run, oldText);
    if (proposeRollback(buckets, headText, oldText).kind === "said") return;
    waits.push(waitForHand(asked, buckets, isWholeFile(buckets, headText, oldText)));
  };
  await doEach(listRequestedRollbacks(snapshot), list, {
    onFault: (asked, error) => waits.push(reportFailed(log, asked, error)),
    isDown,
  });
  return waits;
}
