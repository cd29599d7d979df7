/** A pure lib, and where the tests stand that must notice when it is changed. */
export interface PureLib {
  readonly name: string;
  /** Globs of its tests, from the root. */
  readonly tests: readonly string[];
}

/** Whole runs through the planner's decision: they prove the rules that several libs make together. */
const snapshot = "test/world/**/*.test.ts";

/** The libs that decide, which is where a silent change would hurt. */
export const pureLibs: readonly PureLib[] = [
  { name: "spec", tests: ["libs/rollouts/**/*.test.ts", "test/vectors/**/*.test.ts"] },
  { name: "campaign", tests: ["libs/campaign/**/*.test.ts"] },
  { name: "fleet", tests: ["libs/fleet/**/*.test.ts", snapshot] },
  { name: "injection", tests: ["libs/injection/**/*.test.ts", snapshot] },
  { name: "plan", tests: ["libs/plan/**/*.test.ts", snapshot] },
];
