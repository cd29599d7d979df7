import type { RolloutsRepository } from "#libs/git";
import {
  editStage,
  evaluateFleet,
  judgeStages,
  nameStage,
  type ProposedStage,
  rolloutsPath,
  type Snapshot,
} from "#libs/plan";

import { waitForStage } from "./stage-step.ts";
import type { Wait } from "../../loop/make-wait.ts";

async function describe(repository: RolloutsRepository, snapshot: Snapshot, proposed: ProposedStage): Promise<Wait> {
  const edited = editStage(proposed, await repository.read(snapshot.main.head, rolloutsPath));
  if (!edited.ok) return waitForStage(proposed, edited.reason);
  const { changes, branch } = proposed;
  return waitForStage(proposed, { code: "StageByHand", ...nameStage(proposed), changes, branch, path: rolloutsPath });
}

/**
 * Without an SCM no pull request is opened: a wait for each stage that may be proposed, with the shares for a person to set.
 */
export async function listHandStages(repository: RolloutsRepository, snapshot: Snapshot): Promise<readonly Wait[]> {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined || snapshot.ledger === undefined) return [];
  const waits: Wait[] = [];
  for (const verdict of judgeStages(snapshot, head, evaluateFleet(snapshot, head))) {
    if (verdict.kind === "propose") waits.push(await describe(repository, snapshot, verdict));
  }
  return waits;
}
