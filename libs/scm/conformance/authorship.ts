import { describe, expect, it } from "vitest";

import { usePull } from "./pull.ts";
import type { ScmSetup } from "./environment.ts";
import { ScmRefused } from "../port/errors.ts";

const branch = "ada/half";

/** How every `Scm` answers who wrote the commits of a pull request. */
export function describeAuthorship(name: string, { make }: Pick<ScmSetup, "make">): void {
  describe(`${name}: authors and committers`, () => {
    const context = usePull(make, { branch, title: "Half", body: "" }, "ada");

    it("lists authors and committers of the commits that the base lacks, oldest first", async () => {
      const { environment, scm, pull } = context();
      const files = { "rollouts.yml": "three\n" };
      const later = await environment.remote.commitTo(branch, { files, author: "bob", committer: "ada" });
      const commits = await scm.pullCommits(pull.number);
      expect([commits.length, commits[1]]).toEqual([2, { sha: later, author: "bob", committer: "ada" }]);
      await expect(scm.pullCommits(99)).rejects.toThrow(ScmRefused);
    });

    it("has no account for a name without one", async () => {
      const { environment, scm, pull } = context();
      const later = await environment.remote.commitTo(branch, { files: { x: "1\n" }, author: "no account" });
      const found = (await scm.pullCommits(pull.number)).find(({ sha }) => sha === later);
      expect([found?.author, found?.committer]).toEqual([undefined, undefined]);
    });

    it("distinguishes a fork's pull request from a branch of the same name", async () => {
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

    it("knows its own login", async () => {
      const { environment, scm } = context();
      expect([await scm.ownLogin(), await environment.as("ada").ownLogin()]).toEqual(["bot", "ada"]);
    });
  });
}
