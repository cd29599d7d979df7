import type { RenderedReason } from "../reasons/reason.ts";
import { writeText } from "../text.ts";
import type { ReasonIn, Wording } from "../reasons/wording.ts";
import { runTransitions } from "./runs.ts";
import { verbTransitions } from "./verbs.ts";

const wordings = { ...runTransitions, ...verbTransitions };

/** Why the ledger changes: a code for machines (CamelCase, stable), and what its sentence needs as fields. */
export type TransitionReason = ReasonIn<typeof wordings>;

/** Reasons with these codes. */
export type TransitionReasonOf<C extends TransitionReason["code"]> = Extract<TransitionReason, { readonly code: C }>;

/** The one place that turns it into words: those of the ledger's commit, its history and the answer to a verb. */
export function renderTransition(reason: TransitionReason): RenderedReason {
  const { message, owner } = (wordings[reason.code] as (reason: TransitionReason) => Wording)(reason);
  return { code: reason.code, message: writeText(message), owner };
}
