import type { RolloutsRepository } from "#libs/git";
import {
  isWholeFile,
  listRequestedRollbacks,
  proposeRollback,
  rolloutsPath,
  waitForHand,
  type Snapshot,
} from "#libs/plan";

import type { Wait } from "../../waits/waits.ts";

/** Without GitHub nobody opens a pull request: each rollback that main does not say yet, with what a person types for it. */
export async function listHandRollbacks(repository: RolloutsRepository, snapshot: Snapshot): Promise<readonly Wait[]> {
  const waits: Wait[] = [];
  for (const asked of snapshot.ledger === undefined ? [] : listRequestedRollbacks(snapshot.ledger)) {
    const headText = await repository.read(snapshot.main.head, rolloutsPath);
    const oldText = await repository.read(asked.to, rolloutsPath);
    if (proposeRollback(asked.run, headText, oldText).kind === "said") continue;
    waits.push(waitForHand(asked, isWholeFile(asked.run, headText, oldText)));
  }
  return waits;
}
