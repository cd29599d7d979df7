import type { RolloutsRepository } from "#libs/git";
import { editStage, judgeStages, type ProposedStage, rolloutsPath, evaluateFleet, type Snapshot } from "#libs/plan";

import { waitForStage } from "./stage-step.ts";
import type { Wait } from "../../waits/waits.ts";

function printShares({ changes }: ProposedStage): string {
  return changes
    .map(({ pattern, shares }) => `${pattern}: ${shares.map((each) => `${each.revision} ${each.weight}`).join(", ")}`)
    .join("; ");
}

async function describe(repository: RolloutsRepository, snapshot: Snapshot, proposed: ProposedStage): Promise<Wait> {
  const edited = editStage(proposed, await repository.read(snapshot.main.head, rolloutsPath));
  if (!edited.ok) return { kind: "wait", scope: `campaign/${proposed.campaign.name}`, reason: edited.reason };
  const why = "GitHub is not configured (MESHROLL_GITHUB_REPOSITORY), so a person proposes it";
  const command =
    `git fetch origin && git switch -c ${proposed.branch} origin/main && "\${EDITOR:-vi}" ${rolloutsPath} && ` +
    `git commit -am "Stage ${proposed.stage.name} of ${proposed.campaign.name}" && git push origin ${proposed.branch}`;
  const message = `waits for somebody to set ${printShares(proposed)}: ${why}`;
  return waitForStage(proposed, { code: "StageByHand", message, command });
}

/** Without GitHub nobody opens a pull request: each stage that may be proposed, with the shares that a person writes for it. */
export async function listHandStages(repository: RolloutsRepository, snapshot: Snapshot): Promise<readonly Wait[]> {
  const head = snapshot.specs.get(snapshot.main.head);
  if (head === undefined || snapshot.ledger === undefined) return [];
  const waits: Wait[] = [];
  for (const verdict of judgeStages(snapshot, head, evaluateFleet(snapshot, head))) {
    if (verdict.kind === "propose") waits.push(await describe(repository, snapshot, verdict));
  }
  return waits;
}
