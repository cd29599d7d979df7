import type { BusTrouble } from "#libs/bus";
import type { Decision } from "#libs/plan";

/** What keeps this planner from a part of the bus is told where the rest of it still carries a status. */
export function waitForBus(trouble: BusTrouble | undefined): readonly Decision[] {
  if (trouble === undefined) return [];
  const { code, message, owner, help } = trouble;
  return [{ kind: "wait", scope: "all", reason: { code, message, owner, help } }];
}
