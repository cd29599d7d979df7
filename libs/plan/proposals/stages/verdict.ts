import type { Campaign, Stage } from "#libs/campaign";
import type { ShareChange } from "#libs/rollouts";
import type { Reason, ReasonOf } from "#libs/wording";
import type { Spec } from "../../records/index.ts";

/** The fields of reasons about a stage. */
export function nameStage({
  campaign: { name, file, owners },
  stage,
}: Pick<NextStage, "campaign" | "stage">): Pick<ReasonOf<"StageOpening">, "campaign" | "stage"> {
  return { campaign: { name, file, owners }, stage: stage.name };
}

/** The next stage of a campaign, whether or not it may be proposed now. */
export interface NextStage {
  readonly campaign: Campaign;
  readonly stage: Stage;
  /** `meshroll/<campaign>/<stage>`, with `-2`, `-3` … after used ones (rules 10.3). */
  readonly branch: string;
}

/** A stage that may be proposed, with its edit of main's file and main after it. */
export interface ProposedStage extends NextStage {
  readonly kind: "propose";
  readonly changes: readonly ShareChange[];
  /** Main's head with these shares; its commit is main's head, because the new one does not exist yet. */
  readonly after: Spec;
}

/** The state of one unfinished campaign between its runs. */
export type StageVerdict =
  | ProposedStage
  | (NextStage & { readonly kind: "wait"; readonly reason: Reason })
  /** Every stage is reached. */
  | { readonly kind: "complete"; readonly campaign: Campaign };
