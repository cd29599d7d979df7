import type { Decision } from "#libs/plan";
import type { Reason } from "#libs/wording";
import type { BusTrouble } from "#libs/bus";

/** A part of the bus that this planner may not use, as a wait: the status can still be published by the rest of it. */
export function waitForBus(trouble: BusTrouble | undefined): readonly Decision[] {
  if (trouble === undefined) return [];
  const { code, message, owner, help } = trouble;
  return [{ kind: "wait", scope: "all", reason: { code, message, owner, help } }];
}

/** A wait with its reason, shown in the status like those that the planner decides. */
export type Wait = Extract<Decision, { readonly kind: "wait" }>;

export function makeWait(scope: string, reason: Reason): Wait {
  return { kind: "wait", scope, reason };
}

/** The first line of an adapter's error: it names the fix. */
export function describeFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n")[0] ?? message;
}
