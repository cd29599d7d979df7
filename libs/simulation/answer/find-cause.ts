import { lookUp } from "#libs/input";
import type { Decision, LedgerState } from "#libs/plan";

import type { Cause } from "./answer.ts";

/** The cause that the code of a wait stands for. */
const causes: Readonly<Record<string, Cause>> = {
  BatchInHand: "restarting",
  BatchSettling: "restarting",
  BatchFull: "restarting",
  MaxUnavailable: "restarting",
  DelayBetweenBatches: "restarting",
  NamespaceBegun: "restarting",
  WindowClosed: "window",
  Frozen: "freeze",
  DelayBetweenWaves: "waves",
  Stopped: "stop",
  StageHeld: "stop",
};

/** The order of precedence: a later cause does not matter before the earlier ones are over. */
const order: readonly Cause[] = ["restarting", "window", "freeze", "waves", "stop"];

function isBaking(ledger: LedgerState): boolean {
  return Object.values(ledger.runs).some(({ state, bake }) => state === "open" && bake !== undefined);
}

/** What the campaign waits for until the next reconcile, by the decisions of this one. */
export function findCause(decisions: readonly Decision[], ledger: LedgerState): Cause {
  const named = new Set(
    decisions.flatMap((each) => (each.kind === "wait" ? (lookUp(causes, each.reason.code) ?? "owner") : [])),
  );
  const first = order.find((cause) => named.has(cause));
  if (first === "restarting") return first;
  if (isBaking(ledger)) return "baking";
  return first ?? (named.has("owner") ? "owner" : "other");
}
