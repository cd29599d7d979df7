import type { RolloutsRepository } from "#libs/git";
import {
  isWholeFile,
  listRequestedRollbacks,
  listWantedBuckets,
  proposeRollback,
  rolloutsPath,
  waitForHand,
  type Snapshot,
} from "#libs/plan";

import type { Wait } from "../../loop/make-wait.ts";

/** Without GitHub no pull request is opened: each rollback that main does not say yet, with what a person types for it. */
export async function listHandRollbacks(repository: RolloutsRepository, snapshot: Snapshot): Promise<readonly Wait[]> {
  const waits: Wait[] = [];
  const { ledger } = snapshot;
  if (ledger === undefined) return waits;
  for (const asked of listRequestedRollbacks(ledger)) {
    const headText = await repository.read(snapshot.main.head, rolloutsPath);
    const oldText = await repository.read(asked.to, rolloutsPath);
    const buckets = listWantedBuckets(ledger, asked.run, oldText);
    if (proposeRollback(buckets, headText, oldText).kind === "said") continue;
    waits.push(waitForHand(asked, buckets, isWholeFile(buckets, headText, oldText)));
  }
  return waits;
}
