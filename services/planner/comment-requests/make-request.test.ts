import { type CommentBench, openCommentBench } from "#test/flow/campaign/comment-bench";
import { makeCluster, makeSnapshot, makeStop, makeWorkload, runId } from "#test/world/build";
import { expect, test } from "vitest";

import { makeRequest, nameRequest } from "./make-request.ts";

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

const shop = [makeWorkload("shop/web"), makeWorkload("shop/api"), makeWorkload("mail/web")];
const workloads: readonly (readonly [typed: string, want: object])[] = [
  [
    "`shop/deploy/web`",
    { kind: "request", request: { scope: "namespace/shop", workloads: ["one:shop/Deployment/web"] } },
  ],
  [
    "one:shop/*",
    {
      kind: "request",
      request: { scope: "namespace/shop", workloads: ["one:shop/Deployment/api", "one:shop/Deployment/web"] },
    },
  ],
  [
    "one:deployment/web",
    { kind: "refused", why: expect.stringMatching(/may be any of one:shop\/.*: say which/u) as string },
  ],
  ["one:shop/Deployment/nope", { kind: "refused", why: "there is no workload one:shop/Deployment/nope" }],
];
test.each(workloads)("converge of %s, in any form that screens print", (workload, want) => {
  const snapshot = makeSnapshot({ clusters: new Map([["one", makeCluster("one", shop)]]) });
  const command = { verb: "converge", workload, why: "their deploy" } as const;
  const comment = { id: 7, author: "ana", at: 0 };
  expect(makeRequest(command, comment, { kind: "fleet" }, snapshot, undefined)).toMatchObject(want);
});
