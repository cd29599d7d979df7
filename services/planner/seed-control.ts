import type { KeyValue } from "#libs/bus";
import { printControlState, readControlState } from "#libs/events";
import type { MainlineView } from "#libs/mainline";

/** How often `state` is rewritten, real ms: executors take it for unknown after 30 s (rules 7.2). */
export const seedEveryMs = 10_000;

/**
 * Writes KV `control` key `state` from the ledger. `beat` changes with every write, which is how executors see that a
 * planner lives. Answers false when a newer planner's state stands there.
 */
export async function seedControl(control: KeyValue, view: MainlineView, beat: string): Promise<boolean> {
  const sequence = view.ledger?.sequence ?? 0;
  const standing = await control.get("state");
  const newest = standing?.value === undefined ? undefined : readControlState(standing.value);
  if (newest !== undefined && newest.sequence > sequence) return false;
  const state = { version: 1 as const, main: view.main.head, seeded: view.main.contained, sequence, beat };
  const text = printControlState(view.ledger === undefined ? { ...state, seeded: false } : { ...state, ledger: view.ledger.head });
  return control.put("state", text, standing?.revision ?? 0);
}
