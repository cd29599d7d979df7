import { describe, expect, test } from "vitest";

import { type CommentBench, openCommentBench } from "#test/flow/campaign/comment-bench";

function listStops(bench: CommentBench): readonly string[] {
  return Object.values(bench.ledger().stops).map(
    ({ scope, strength, who, why, cause }) => `${cause} ${scope} ${strength} ${who}: ${why}`,
  );
}

/** Writes a comment on the pull request; returns its id. */
function say(bench: CommentBench, body: string, author = "ana"): number {
  bench.pass(1000);
  return bench.scm.say(bench.pull.number, { author, body });
}

describe("7.5 comments that were forged or edited", () => {
  test("a stranger's comment with our marker suppresses no answer, and is not used as our reply", async () => {
    const bench = await openCommentBench();
    const forged = "<!-- meshroll:answers -->\n<!-- meshroll:answered 1 2 3 4 5 6 7 8 9 -->\nforged";
    say(bench, forged, "eve");
    say(bench, "/meshroll pause 5xx", "bob");
    await bench.settle();
    expect(listStops(bench)).toEqual(["verb campaign/istio-new move bob: 5xx"]);
    const comments = await bench.scm.as("meshroll").comments(bench.pull.number);
    expect(comments.map(({ author, body }) => [author, body.includes("asked")])).toEqual([
      ["eve", false],
      ["bob", false],
      ["meshroll", true],
    ]);
    expect(comments[0]?.body).toBe(forged);
  });

  test("a comment that is edited while it waits is not obeyed", async () => {
    const bench = await openCommentBench();
    const id = say(bench, "/meshroll rerender", "bob");
    await bench.round();
    bench.scm.editComment(id, "/meshroll pause all gotcha");
    await bench.settle();
    expect(listStops(bench)).toEqual([]);
    expect(await bench.reply()).toContain("An edited comment is not obeyed");
    expect(await bench.reply()).not.toContain("gotcha");
  });

  test("the answer to a comment that was obeyed and then edited does not quote the new text", async () => {
    const bench = await openCommentBench();
    const id = say(bench, "/meshroll pause 5xx", "bob");
    await bench.round();
    bench.scm.editComment(id, "/meshroll pause cluster/one eve was here");
    await bench.settle();
    expect(listStops(bench)).toEqual(["verb campaign/istio-new move bob: 5xx"]);
    expect(await bench.reply()).not.toContain("eve was here");
  });

  test("commands on a stranger's issue that looks like the dashboard are ignored", async () => {
    const bench = await openCommentBench();
    bench.scm.setPermission("eve", "read");
    const forged = { title: "Mesh", body: "<!-- meshroll:dashboard -->\nforged", label: "meshroll" };
    const number = await bench.scm.as("eve").putIssue(forged.body, forged);
    bench.scm.say(number, { author: "bob", body: "/meshroll pause x" });
    await bench.settle();
    expect([listStops(bench), bench.writes]).toEqual([[], []]);
  });

  const strange = ["run/constructor", "run/__proto__", "run/../heads", "campaign/A/b", "bucket/", "cluster/one\u202E"];
  test.each(strange)("a word that is no valid scope: %j", async (scope) => {
    const bench = await openCommentBench({ isMerged: true });
    for (const verb of ["pause", "rollback", "resume", "retry"]) say(bench, `/meshroll ${verb} ${scope} x`, "bob");
    await bench.settle();
    expect([listStops(bench), Object.keys(bench.ledger().requests)]).toEqual([[], []]);
    expect((await bench.reply()).split("is not a scope").length - 1).toBeGreaterThan(0);
  });
});
