import { describe, expect, it } from "vitest";

import { usePull } from "./conformance-pull.ts";
import type { ForgeRules, ForgeWorld } from "./conformance-world.ts";
import { ForgeRefused } from "./errors.ts";

const branch = "ada/half";

/** What every `Forge` tells of who wrote and pushed what a pull request brings. */
export function describeAuthorship(name: string, make: (rules: ForgeRules) => Promise<ForgeWorld>): void {
  describe(`${name}: who took part`, () => {
    const scene = usePull(make, { branch, title: "Half", body: "" }, "ada");

    it("tells authors, committers and co-authors of what a head has and its base has not, oldest first", async () => {
      const { world, forge, pull } = scene();
      const message = "More\n\nCo-authored-by: Ada <ada@users.noreply.github.com>\nCo-authored-by: X <x@example.org>";
      const files = { "rollouts.yml": "three\n" };
      const later = world.remote.commitTo(branch, { files, author: "bob", committer: "ada", message });
      const { commits, isWhole } = await forge.pullCommits(pull.number);
      expect([commits.length, isWhole]).toEqual([2, true]);
      expect(commits[1]).toEqual({
        sha: later,
        parents: [pull.headSha],
        author: "bob",
        committer: "ada",
        coAuthors: ["ada"],
        unknownCoAuthors: 1,
      });
      await expect(forge.pullCommits(99)).rejects.toThrow(ForgeRefused);
    });

    it("does not know an account of a name that nobody has", async () => {
      const { world, forge, pull } = scene();
      const later = world.remote.commitTo(branch, { files: { x: "1\n" }, author: "no account" });
      const found = (await forge.pullCommits(pull.number)).commits.find(({ sha }) => sha === later);
      expect([found?.author, found?.committer]).toEqual([undefined, undefined]);
    });

    it("tells who pushed to a branch, the newest move first, forced ones and deletions too", async () => {
      const { world, forge, pull } = scene();
      const first = pull.headSha;
      await forge.findPullRequest(pull.number);
      const second = world.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" }, author: "bob" });
      await forge.findPullRequest(pull.number);
      world.remote.force(branch, first);
      await forge.findPullRequest(pull.number);
      world.remote.removeBranch(branch);
      const pushes = await forge.branchPushes(branch);
      expect(pushes?.map(({ before, after, kind }) => [before, after, kind])).toEqual([
        [first, undefined, "push"],
        [second, first, "push"],
        [first, second, "push"],
        [undefined, first, "push"],
      ]);
      expect(pushes?.[2]?.by).toBe("bob");
      for (const { at } of pushes ?? []) expect(at).toBeGreaterThan(Date.UTC(2020, 0));
      expect(await forge.branchPushes("nowhere")).toEqual([]);
    });

    it("tells a fork's pull request from one of a branch of the same name", async () => {
      const { world, forge, pull } = scene();
      const head = world.remote.commitTo(`forks/ada/${branch}`, { files: { "rollouts.yml": "three\n" } });
      const number = await world.openFromFork(branch);
      const open = await forge.listOpenPullRequests("main");
      expect(open.map((each) => [each.number, each.branch, each.fork, each.headSha])).toEqual([
        [pull.number, branch, undefined, pull.headSha],
        [number, branch, true, head],
      ]);
      expect((await forge.findPullRequests(branch)).map((each) => each.number)).toEqual([pull.number]);
    });

    it("knows who it is itself", async () => {
      const { world, forge } = scene();
      expect([await forge.ownLogin(), await world.as("ada").ownLogin()]).toEqual(["bot", "ada"]);
    });
  });
}
