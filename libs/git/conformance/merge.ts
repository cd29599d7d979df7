import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { RepositorySetup } from "./environment.ts";
import { GitRefused } from "../errors.ts";
import type { MergeTrial, RolloutsRepository } from "../port.ts";

const unknownCommit = "0123456789012345678901234567890123456789";
const five = "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n";

/** How every `RolloutsRepository` tries a merge. */
export function describeMergeTrials(name: string, make: () => Promise<RepositorySetup>): void {
  describe(`${name}: merges on trial`, () => {
    let environment: RepositorySetup;
    let repository: RolloutsRepository;
    beforeEach(async () => {
      environment = await make();
      environment.remote.commitToMain({ files: { "rollouts.yml": five, "old.md": "x\n", "campaigns/a.yml": "a\n" } });
      repository = await environment.open();
    });
    afterEach(async () => environment.close());

    async function tryIt(head: string): Promise<{ readonly main: string; readonly trial: MergeTrial }> {
      const { main } = await repository.fetch();
      return { main, trial: await repository.tryMerge(main, head, ["campaigns"]) };
    }

    const cases: readonly {
      readonly name: string;
      readonly branch: Readonly<Record<string, string | null>>;
      readonly main?: Readonly<Record<string, string | null>>;
      readonly wantChanged: readonly string[];
      readonly wantText: string | undefined;
    }[] = [
      {
        name: "the branch's change, while main did not change",
        branch: { "rollouts.yml": "b\n" },
        wantChanged: ["rollouts.yml"],
        wantText: "b\n",
      },
      {
        name: "main's change, where the branch has another file",
        branch: { "notes.md": "n\n", "campaigns/a.yml": "b\n", "old.md": null },
        main: { "rollouts.yml": "m\n" },
        wantChanged: ["campaigns/a.yml", "notes.md", "old.md"],
        wantText: "m\n",
      },
      {
        name: "both changes of one file, when they are lines apart",
        branch: { "rollouts.yml": five.replace("e: 5", "e: 6") },
        main: { "rollouts.yml": five.replace("a: 1", "a: 0\nz: 1") },
        wantChanged: ["rollouts.yml"],
        wantText: five.replace("a: 1", "a: 0\nz: 1").replace("e: 5", "e: 6"),
      },
      {
        name: "nothing where main made the same change",
        branch: { "rollouts.yml": "b\n" },
        main: { "rollouts.yml": "b\n" },
        wantChanged: [],
        wantText: "b\n",
      },
      {
        name: "no file, where the branch removes it",
        branch: { "rollouts.yml": null },
        main: { "old.md": "y\n" },
        wantChanged: ["rollouts.yml"],
        wantText: undefined,
      },
    ];
    for (const { name: title, branch, main: onMain, wantChanged, wantText } of cases) {
      it(`leave ${title}`, async () => {
        const head = environment.remote.commitTo("b", { files: branch });
        if (onMain !== undefined) environment.remote.commitToMain({ files: onMain });
        const { main, trial } = await tryIt(head);
        expect(trial).toEqual({ kind: "clean", changed: wantChanged });
        expect(await repository.readMerged(main, head, "rollouts.yml")).toBe(wantText);
        expect(environment.remote.head("main")).toBe(main);
      });
    }

    it("list a changed folder that was not requested by its name only", async () => {
      const files = { "a/b/c.md": "c\n", "a/d.md": "d\n", "campaigns/done/a.yml": "a\n", "campaigns/b.yml": "b\n" };
      const head = environment.remote.commitTo("b", { files });
      const { main, trial } = await tryIt(head);
      expect(trial).toEqual({ kind: "clean", changed: ["a", "campaigns/b.yml", "campaigns/done"] });
      expect(await repository.tryMerge(main, head)).toEqual({ kind: "clean", changed: ["a", "campaigns"] });
    });

    it("list a folder that becomes a file or a link by its name", async () => {
      const files = { "campaigns/a.yml": null, campaigns: { symlink: "elsewhere" } };
      const { main, trial } = await tryIt(environment.remote.commitTo("b", { files }));
      expect([trial, await repository.list(main, "campaigns")]).toEqual([
        { kind: "clean", changed: ["campaigns", "campaigns/a.yml"] },
        ["campaigns/a.yml"],
      ]);
    });

    it("list a folder as the merge would leave it", async () => {
      const branch = {
        "campaigns/b.yml": "b\n",
        "campaigns/done/c.yml": "c\n",
        "campaigns/d.yml": { symlink: "a.yml" },
      };
      const head = environment.remote.commitTo("b", { files: branch });
      environment.remote.commitToMain({ files: { "campaigns/e.yml": "e\n", "campaigns/a.yml": null } });
      const { main } = await repository.fetch();
      expect(await repository.listMerged(main, head, "campaigns")).toEqual(["campaigns/b.yml", "campaigns/e.yml"]);
      expect(await repository.listMerged(main, head, "nowhere")).toEqual([]);
    });

    it("list the file in conflict, and refuse to read it", async () => {
      const head = environment.remote.commitTo("b", { files: { "rollouts.yml": "b\n", "notes.md": "n\n" } });
      environment.remote.commitToMain({ files: { "rollouts.yml": "m\n" } });
      const { main, trial } = await tryIt(head);
      expect(trial).toEqual({ kind: "conflict", paths: ["rollouts.yml"] });
      await expect(repository.readMerged(main, head, "rollouts.yml")).rejects.toThrow(GitRefused);
    });

    it("start from the last main that the branch has", async () => {
      const first = environment.remote.commitTo("b", { files: { "rollouts.yml": five.replace("a: 1", "a: 9") } });
      const second = environment.remote.mergeToMain({ branch: "b" });
      environment.remote.force("b", second.kind === "merged" ? second.sha : first);
      const head = environment.remote.commitTo("b", { files: { "rollouts.yml": five.replace("a: 1", "a: 10") } });
      const { main, trial } = await tryIt(head);
      expect(trial).toEqual({ kind: "clean", changed: ["rollouts.yml"] });
      expect(await repository.readMerged(main, head, "rollouts.yml")).toBe(five.replace("a: 1", "a: 10"));
    });

    it("are clean after the branch merged main, and no commit of it is lost", async () => {
      const old = environment.remote.commitTo("b", { files: { "rollouts.yml": "b\n" } });
      const onMain = environment.remote.commitToMain({
        files: { "rollouts.yml": "m\n", "old.md": null, "new.md": "n\n" },
      });
      await repository.fetch();
      const pushed = await repository.commitAndPush({
        branch: "b",
        onto: old,
        merging: onMain,
        files: { "rollouts.yml": "both\n" },
        message: "Take main in",
        author: { name: "planner", email: "p@example.org" },
      });
      const head = pushed.kind === "pushed" ? pushed.sha : "";
      expect(await repository.tryMerge(onMain, head)).toEqual({ kind: "clean", changed: ["rollouts.yml"] });
      expect(await repository.readMerged(onMain, head, "rollouts.yml")).toBe("both\n");
      expect(await repository.list(head, "")).toEqual(["new.md", "rollouts.yml"]);
      const commits = await repository.firstParents(onMain, head);
      expect(commits.map(({ sha, parents }) => [sha, parents.slice(1)])).toEqual([
        [old, []],
        [head, [onMain]],
      ]);
    });

    it("read a pull request's head that was not fetched yet, and refuse an unknown one", async () => {
      await repository.fetch();
      const head = environment.remote.commitTo("b", { files: { "rollouts.yml": "b\n" } });
      await repository.fetchPullRequest(7, head);
      expect(await repository.read(head, "rollouts.yml")).toBe("b\n");
      await expect(repository.fetchPullRequest(8, unknownCommit)).rejects.toThrow(GitRefused);
    });

    it("refuse invalid commits and paths", async () => {
      const { main } = await repository.fetch();
      await expect(repository.tryMerge(main, "--help")).rejects.toThrow(GitRefused);
      await expect(repository.readMerged(main, main, "../x")).rejects.toThrow(GitRefused);
    });
  });
}
