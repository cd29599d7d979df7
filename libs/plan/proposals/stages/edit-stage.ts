import { editShares } from "#libs/rollouts";

import { rolloutsPath } from "../../main/index.ts";
import type { Reason } from "../../records/index.ts";
import { nameOwners } from "./find-obstacle.ts";
import type { ProposedStage } from "./verdict.ts";

export type StageEdit =
  | { readonly ok: true; readonly text: string }
  /** Only a person can write it. */
  | { readonly ok: false; readonly reason: Reason };

/** Main's `rollouts.yml` with the stage's shares: digits change, or one line is added; every other byte stays. */
export function editStage(proposed: ProposedStage, text: string | undefined): StageEdit {
  const { campaign, stage, branch, changes } = proposed;
  const edited = editShares(text ?? "", changes, rolloutsPath);
  if (edited.ok) return edited;
  const shares = changes.map(({ pattern, shares: each }) => {
    return `${pattern} to ${each.map(({ revision, weight }) => `${revision} ${weight}`).join(", ")}`;
  });
  const [first] = edited.findings;
  const why = first === undefined ? "the file cannot be edited" : first.message;
  const message = `stage ${stage.name} of ${campaign.name} waits for somebody to set ${shares.join("; ")} by hand: ${why}`;
  const command = `git switch -c ${branch} origin/main && "\${EDITOR:-vi}" ${rolloutsPath}`;
  return { ok: false, reason: { code: "StageByHand", message, owner: nameOwners(campaign), command } };
}
