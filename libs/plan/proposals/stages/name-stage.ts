import type { ReasonOf } from "#libs/wording";

import type { NextStage } from "./verdict.ts";

/** What reasons say of a stage. */
export function nameStage({
  campaign: { name, file, owners },
  stage,
}: Pick<NextStage, "campaign" | "stage">): Pick<ReasonOf<"StageOpening">, "campaign" | "stage"> {
  return { campaign: { name, file, owners }, stage: stage.name };
}
