import { type CommentBench, openCommentBench } from "#test/flow/campaign/comment-bench";
import { makeStop, runId } from "#test/world/build";
import { expect, test } from "vitest";

import { nameRequest } from "./make-request.ts";

/** Writes a comment on the pull request; returns its request's id in the ledger. */
function say(bench: CommentBench, body: string): string {
  bench.pass(1000);
  return nameRequest(bench.scm.say(bench.pull.number, { author: "ana", body }));
}

test("resume without a scope ends people's stops first, and meshroll's own only when it is named", async () => {
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
