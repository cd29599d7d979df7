import { printText, renderReason } from "#libs/wording";
import { makeRun, makeStop, runId, sha } from "#test/world/build";
import { expect, it } from "vitest";

import { nameRuns } from "./name-runs.ts";

const runs = { [runId]: makeRun(sha("head"), sha("base"), { id: runId, stage: "half" }) };

it.each([
  {
    name: "the scope of a stop",
    reason: { code: "Stopped", stop: makeStop({ id: "s1", scope: `run/${runId}`, who: "ana", why: "5xx" }) } as const,
    want: "the run of half is stopped by ana: 5xx",
  },
  {
    name: "a run's id",
    reason: { code: "RunOver", run: runId } as const,
    want: "run of half is not open",
  },
  {
    name: "and nothing that a person wrote",
    reason: {
      code: "Stopped",
      stop: makeStop({ id: "s1", scope: "all", who: "ana", why: `as run/${runId} does` }),
    } as const,
    want: `all is stopped by ana: as run/${runId} does`,
  },
])("a stage stands for its run: $name", ({ reason, want }) => {
  expect(printText(renderReason(nameRuns(reason, runs)).message)).toBe(want);
});
