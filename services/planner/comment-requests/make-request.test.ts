import { type CommentBench, openCommentBench } from "#test/flow/campaign/comment-bench";
import { makeStop, runId } from "#test/world/build";
import { expect, test } from "vitest";

import { nameRequest } from "./make-request.ts";

/** As a person on the pull request; the answer is the id under which the ledger knows it. */
function say(bench: CommentBench, body: string): string {
  bench.pass(1000);
  return nameRequest(bench.scm.say(bench.pull.number, { author: "ana", body }));
}

test("resume ends what meshroll placed only where it is named, after what people placed", async () => {
  const run = `run/${runId}` as const;
  const stops = {
    p: makeStop({ id: "p", scope: "campaign/istio-new" }),
    f: makeStop({ id: "f", scope: run, cause: "failures", who: "meshroll planner", why: "too many failed" }),
  };
  const bench = await openCommentBench({ stops, isMerged: true });
  const isResumed = (id: string) => bench.ledger().stops[id]?.resume !== undefined;
  say(bench, "/meshroll resume fixed");
  await bench.settle();
  expect([isResumed("p"), isResumed("f")]).toEqual([true, false]);
  say(bench, "/meshroll resume fixed");
  await bench.settle();
  expect(isResumed("f")).toBe(false);
  const reply = await bench.reply();
  for (const part of [`meshroll placed the stop on ${run}`, `meshroll get failures ${run}`, `/meshroll resume ${run}`])
    expect(reply).toContain(part);
  const id = say(bench, `/meshroll resume ${run} looked at it`);
  await bench.settle();
  expect([isResumed("f"), id in bench.ledger().requests]).toEqual([true, true]);
});
