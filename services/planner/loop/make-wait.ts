import type { Decision } from "#libs/plan";
import type { Reason } from "#libs/wording";
import type { BusTrouble } from "#libs/bus";

/** What keeps this planner from a part of the bus is told where the rest of it still carries a status. */
export function waitForBus(trouble: BusTrouble | undefined): readonly Decision[] {
  if (trouble === undefined) return [];
  const { code, message, owner, help } = trouble;
  return [{ kind: "wait", scope: "all", reason: { code, message, owner, help } }];
}

/** A named wait, as the status shows it next to those that the planner decides. */
export type Wait = Extract<Decision, { readonly kind: "wait" }>;

export function makeWait(scope: string, reason: Reason): Wait {
  return { kind: "wait", scope, reason };
}

/** The first line of what an adapter said, which names the fix already. */
export function describeFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0] ?? message;
}
