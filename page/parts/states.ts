import type { MarkKind } from "./mark.tsx";

interface StateWords {
  readonly word: string;
  readonly mark: MarkKind;
}

const states: ReadonlyMap<string, StateWords> = new Map([
  ["Failed", { word: "failed", mark: "failed" }],
  ["Moving", { word: "restarting", mark: "moving" }],
  ["Waiting", { word: "waiting for its owner", mark: "waiting" }],
  ["Pending", { word: "pending", mark: "pending" }],
  ["Skipped", { word: "skipped", mark: "skipped" }],
  ["OnTrack", { word: "as requested", mark: "done" }],
]);

/** A namespace's state in words; an unknown one, of a newer planner, is shown as it is. */
export function describeState(state: string): StateWords {
  return states.get(state) ?? { word: state, mark: "pending" };
}
