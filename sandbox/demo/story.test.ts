import { expect, test } from "vitest";

import type { FleetStatus } from "#libs/plan";

import { type Chapter, nameChapter, suggestSteps } from "./story.ts";
import { makeStatus, run, untouched } from "./test-status.ts";

function stop(cause: "failures" | "rollback" | "return", scope: string): FleetStatus["stops"][number] {
  const shared = { strength: "move", who: "ana", why: "so", from: "ledger", overdue: false, command: "" } as const;
  return { ...shared, id: cause, cause, scope };
}

const id = "a17ecec1ed5f";
const runs = [run(untouched)];
const before = { isProposed: false, hasBegun: false };
const during = { isProposed: true, hasBegun: true };
const failed = stop("failures", `run/${id}`);

const cases: Record<string, { status: FleetStatus; soFar: typeof before; want: Chapter }> = {
  "nothing is proposed yet": { status: makeStatus(), soFar: before, want: "starting" },
  "the pull request is open": { status: makeStatus(), soFar: { ...before, isProposed: true }, want: "proposed" },
  "a run moves": { status: makeStatus({ runs }), soFar: during, want: "moving" },
  "its failures stopped it": { status: makeStatus({ runs, stops: [failed] }), soFar: during, want: "stopped" },
  "failures of a run that is over stop nobody": {
    status: makeStatus({ runs, stops: [stop("failures", "run/0123456789ab")] }),
    soFar: during,
    want: "moving",
  },
  "a person asked for the way back": {
    status: makeStatus({ runs, stops: [failed, stop("rollback", `run/${id}`)] }),
    soFar: during,
    want: "goingBack",
  },
  "the return moves": {
    status: makeStatus({ runs, stops: [stop("return", "bucket/.*-staging")] }),
    soFar: during,
    want: "goingBack",
  },
  "no run is open any more": { status: makeStatus(), soFar: during, want: "over" },
};

for (const [name, { status, soFar, want }] of Object.entries(cases))
  test(`chapter ${want}: ${name}`, () => {
    expect(nameChapter(status, soFar)).toBe(want);
  });

test("every step is a whole command that names what it is about", () => {
  const status = makeStatus({ runs });
  const chapters: readonly Chapter[] = ["starting", "proposed", "moving", "stopped", "goingBack", "over"];
  const commands = chapters.flatMap((chapter) => suggestSteps(chapter, status, "ana/staging-50"));
  for (const { command } of commands) expect(command).toMatch(/^(npx meshroll|npm run demo --) \S/);
  expect(suggestSteps("stopped", status, "").map(({ command }) => command)).toEqual([
    `npx meshroll rollback run/${id} --reason "bad proxies"`,
    "npm run demo -- mend",
    `npx meshroll retry run/${id} --reason "mended"`,
  ]);
});
