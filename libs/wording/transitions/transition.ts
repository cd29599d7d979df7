import type { RenderedReason } from "../reasons/reason.ts";
import { writeText } from "../text.ts";
import type { ReasonIn, Wording } from "../reasons/wording.ts";
import { runTransitions } from "./runs.ts";
import { verbTransitions } from "./verbs.ts";

const wordings = { ...runTransitions, ...verbTransitions };

/** Why the ledger changes: a stable code in CamelCase, and the fields of its sentence. */
export type TransitionReason = ReasonIn<typeof wordings>;

/** Reasons with these codes. */
export type TransitionReasonOf<C extends TransitionReason["code"]> = Extract<TransitionReason, { readonly code: C }>;

/** The only place where it becomes a sentence: for the ledger's commit, its history and the answer to a verb. */
export function renderTransition(reason: TransitionReason): RenderedReason {
  const { message, owner } = (wordings[reason.code] as (reason: TransitionReason) => Wording)(reason);
  return { code: reason.code, message: writeText(message), owner };
}
