import { openStagePullBench } from "#test/flow/campaign/stage-pull-bench";
import { campaignOf } from "#test/flow/campaign/stage-campaign";
import { file } from "#test/flow/shop";
import { expect, test } from "vitest";

const stages = "    - { name: half, set: { production: 50 }, autoMerge: { notice: 1m } }\n";

test("1.5 where branches must be up to date a stage gets main's commits, a new list and a new notice, and merges then", async () => {
  const bench = openStagePullBench({ campaign: campaignOf("", stages), strict: true });
  const tried: { readonly head: string; readonly isRecorded: boolean }[] = [];
  bench.restart({
    scm: (scm) => ({
      ...scm,
      merge: async (number, head) => {
        if (tried.length === 0) bench.remote.commitToMain({ files: { "README.md": "hello\n" } });
        tried.push({ head, isRecorded: head in bench.ledger.plans });
        return scm.merge(number, head);
      },
    }),
  });
  const codes: string[] = [];
  for (let step = 0; step < 12 && bench.readMain() !== file(50); step += 1)
    codes.push(...(await bench.round()).map(({ reason }) => reason.code));
  expect(bench.readMain()).toBe(file(50));
  expect(codes.filter((code) => code === "StageRefused")).toHaveLength(1);
  // Main was merged into the branch, so the notice began again for the head that was merged.
  expect(codes.slice(codes.indexOf("StageRefused"))).toContain("MergeNotice");
  expect([new Set(tried.map(({ head }) => head)).size, tried.map(({ isRecorded }) => isRecorded)]).toEqual([
    2,
    [true, true],
  ]);
});
