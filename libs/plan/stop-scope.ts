import type { StopScope } from "./ledger-state.ts";

/** True when the text is a scope of rules 7.1. */
export function isStopScope(text: string): text is StopScope {
  return text === "all" || /^(cluster|campaign|run|bucket|namespace)\/.+$/.test(text);
}
