import { expect, test } from "vitest";

import { openCommentBench } from "#test/flow/campaign/comment-bench";

test("an issue whose author's rights cannot be read does not keep comments from being answered", async () => {
  const bench = await openCommentBench();
  const body = "<!-- meshroll:dashboard -->\nmine";
  await bench.scm.as("gone").putIssue(body, { title: "Mesh rollouts", body, label: "meshroll" });
  const { through } = bench;
  bench.through = {
    ...through,
    async permissionOf(login) {
      if (login === "gone") throw new Error("no such account");
      return through.permissionOf(login);
    },
  };
  await bench.scm.as("ana").putComment(bench.pull.number, "/meshroll", "/meshroll help");
  await bench.settle();
  expect(await bench.reply()).toContain("| command | effect |");
});
