import type { Campaign, Stage } from "#libs/campaign";
import type { ShareChange } from "#libs/rollouts";
import type { Reason, ReasonOf } from "#libs/wording";
import type { Spec } from "../../records/index.ts";

/** What reasons say of a stage. */
export function nameStage({
  campaign: { name, file, owners },
  stage,
}: Pick<NextStage, "campaign" | "stage">): Pick<ReasonOf<"StageOpening">, "campaign" | "stage"> {
  return { campaign: { name, file, owners }, stage: stage.name };
}

/** What the next stage of a campaign is about, whether or not it may be proposed now. */
export interface NextStage {
  readonly campaign: Campaign;
  readonly stage: Stage;
  /** `meshroll/<campaign>/<stage>`, with `-2`, `-3` … after one that is over (rules 10.3). */
  readonly branch: string;
}

/** A stage that may be proposed: what it does to main's file, and what main would say then. */
export interface ProposedStage extends NextStage {
  readonly kind: "propose";
  readonly changes: readonly ShareChange[];
  /** Main's head with these shares; its commit is main's head, because the other one does not exist yet. */
  readonly after: Spec;
}

/** Where one unfinished campaign stands between its runs. */
export type StageVerdict =
  | ProposedStage
  | (NextStage & { readonly kind: "wait"; readonly reason: Reason })
  /** Every stage is reached. */
  | { readonly kind: "complete"; readonly campaign: Campaign };
