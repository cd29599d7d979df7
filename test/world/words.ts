import { type Reason, renderReason, type RenderedReason } from "#libs/wording";

/** What people read of a reason; of none, nothing. */
export function wordsOf(reason: Reason | undefined): RenderedReason | undefined {
  return reason === undefined ? undefined : renderReason(reason);
}
