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

/** A state of a namespace in words; one of a newer planner stands for itself. */
export function describeState(state: string): StateWords {
  return states.get(state) ?? { word: state, mark: "pending" };
}
