import { editShares } from "#libs/rollouts";
import type { Reason } from "#libs/wording";

import { rolloutsPath } from "../../main/index.ts";
import { nameStage } from "./name-stage.ts";
import type { ProposedStage } from "./verdict.ts";

export type StageEdit =
  | { readonly ok: true; readonly text: string }
  /** Only a person can write it. */
  | { readonly ok: false; readonly reason: Reason };

/** Main's `rollouts.yml` with the stage's shares: digits change, or one line is added; every other byte stays. */
export function editStage(proposed: ProposedStage, text: string | undefined): StageEdit {
  const { branch, changes } = proposed;
  const edited = editShares(text ?? "", changes, rolloutsPath);
  if (edited.ok) return edited;
  const why = edited.findings[0]?.message ?? "the file cannot be edited";
  const path = rolloutsPath;
  return { ok: false, reason: { code: "StageByHand", ...nameStage(proposed), changes, branch, path, why } };
}
