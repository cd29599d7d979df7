import { describe, expect, it } from "vitest";

import { usePull } from "./pull.ts";
import type { ScmSetup } from "./environment.ts";
import { ScmRefused } from "../port/errors.ts";

const branch = "ada/half";

/** What every `Scm` tells of who wrote and pushed what a pull request brings. */
export function describeAuthorship(name: string, { make, untold }: ScmSetup): void {
  describe(`${name}: who took part`, () => {
    const context = usePull(make, { branch, title: "Half", body: "" }, "ada");

    it("tells authors, committers and co-authors of what a head has and its base has not, oldest first", async () => {
      const { environment, scm, pull } = context();
      const message = "More\n\nCo-authored-by: Ada <ada@users.noreply.github.com>\nCo-authored-by: X <x@example.org>";
      const files = { "rollouts.yml": "three\n" };
      const later = await environment.remote.commitTo(branch, { files, author: "bob", committer: "ada", message });
      const { commits, isWhole } = await scm.pullCommits(pull.number);
      expect([commits.length, isWhole]).toEqual([2, true]);
      expect(commits[1]).toEqual({
        sha: later,
        parents: [pull.headSha],
        author: "bob",
        committer: "ada",
        ...(untold.has("coAuthors")
          ? { coAuthors: [], unknownCoAuthors: 2 }
          : { coAuthors: ["ada"], unknownCoAuthors: 1 }),
      });
      await expect(scm.pullCommits(99)).rejects.toThrow(ScmRefused);
    });

    it("does not know an account of a name that does not exist", async () => {
      const { environment, scm, pull } = context();
      const later = await environment.remote.commitTo(branch, { files: { x: "1\n" }, author: "no account" });
      const found = (await scm.pullCommits(pull.number)).commits.find(({ sha }) => sha === later);
      expect([found?.author, found?.committer]).toEqual([undefined, undefined]);
    });

    it("says who pushed to a branch, the newest move first, forced ones and deletions too; or that it does not know", async () => {
      const { environment, scm, pull } = context();
      const first = pull.headSha;
      await scm.findPullRequest(pull.number);
      const second = await environment.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" }, author: "bob" });
      await scm.findPullRequest(pull.number);
      await environment.remote.force(branch, first);
      await scm.findPullRequest(pull.number);
      await environment.remote.removeBranch(branch);
      const pushes = await scm.branchPushes(branch);
      const moves = [
        [first, undefined, "push"],
        [second, first, "push"],
        [first, second, "push"],
        [undefined, first, "push"],
      ];
      const isTold = !untold.has("pushes");
      expect(pushes?.map(({ before, after, kind }) => [before, after, kind])).toEqual(isTold ? moves : undefined);
      expect(pushes?.[2]?.by).toBe(isTold ? "bob" : undefined);
      for (const { at } of pushes ?? []) expect(at).toBeGreaterThan(Date.UTC(2020, 0));
      expect(await scm.branchPushes("nowhere")).toEqual(isTold ? [] : undefined);
    });

    it("tells a fork's pull request from one of a branch of the same name", async () => {
      const { environment, scm, pull } = context();
      const head = await environment.remote.commitTo(`forks/ada/${branch}`, { files: { "rollouts.yml": "three\n" } });
      const number = await environment.openFromFork(branch);
      const open = await scm.listOpenPullRequests("main");
      expect(open.map((each) => [each.number, each.branch, each.fork, each.headSha])).toEqual([
        [pull.number, branch, undefined, pull.headSha],
        [number, branch, true, head],
      ]);
      expect((await scm.findPullRequests(branch)).map((each) => each.number)).toEqual([pull.number]);
    });

    it("knows who it is itself", async () => {
      const { environment, scm } = context();
      expect([await scm.ownLogin(), await environment.as("ada").ownLogin()]).toEqual(["bot", "ada"]);
    });
  });
}
