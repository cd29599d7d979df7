import { describe, expect, it } from "vitest";

import type { RepositorySetup } from "./environment.ts";
import type { CommitDraft } from "../port.ts";

/** Equal drafts with a time give equal commits in every clone, so a head's id shows that it is that commit. */
export function describeMadeCommits(name: string, make: () => Promise<RepositorySetup>): void {
  describe(`commits with a time of ${name}`, () => {
    it("are the same commit in every clone, before and after a push; another draft is another commit", async () => {
      const environment = await make();
      const { remote } = environment;
      const startAt = remote.commitToMain({ files: { "rollouts.yml": "one\n", "a.md": "a\n" } });
      const [one, two] = [await environment.open(), await environment.open()];
      await one.fetch();
      const draft: CommitDraft = {
        branch: "meshroll/rollback/a",
        startAt,
        files: { "rollouts.yml": "two\n" },
        message: "Roll back",
        author: { name: "meshroll planner", email: "planner@example.org" },
        at: 1_790_000_000_500,
      };
      const made = await one.makeCommit(draft);
      expect(remote.head(draft.branch)).toBeUndefined();
      expect(await two.makeCommit(draft)).toBe(made);
      expect(await two.commitAndPush(draft)).toEqual({ kind: "pushed", sha: made });
      expect(await one.makeCommit(draft)).toBe(made);

      const main = remote.commitToMain({ files: { "rollouts.yml": "three\n" } });
      const { startAt: _, ...rest } = draft;
      const caughtUp: CommitDraft = { ...rest, onto: made, merging: main, files: { "rollouts.yml": "four\n" } };
      const later = await one.makeCommit(caughtUp);
      expect(await two.commitAndPush(caughtUp)).toEqual({ kind: "pushed", sha: later });
      const others: readonly CommitDraft[] = [
        { ...draft, files: { "rollouts.yml": "two \n" } },
        { ...draft, files: { "rollouts.yml": "two\n", "a.md": null } },
        { ...draft, message: "Roll  back" },
        { ...draft, at: 1_790_000_001_500 },
        { ...draft, author: { ...draft.author, name: "eve" } },
        { ...draft, startAt: main },
      ];
      for (const other of others) expect(await one.makeCommit(other)).not.toBe(made);
      await environment.close();
    });

    it("replace the branch's commit, if the branch has not moved", async () => {
      const environment = await make();
      const { remote } = environment;
      const startAt = remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
      const repository = await environment.open();
      await repository.fetch();
      const author = { name: "meshroll planner", email: "planner@example.org" };
      const draft = { branch: "meshroll/a/b", startAt, message: "Stage", author };
      const first = await repository.commitAndPush({ ...draft, files: { "rollouts.yml": "two\n" } });
      const replaces = first.kind === "pushed" ? first.sha : "";
      const again = { ...draft, replaces, files: { "rollouts.yml": "three\n" } };
      const second = await repository.commitAndPush(again);
      expect(second).toMatchObject({ kind: "pushed" });
      const head = second.kind === "pushed" ? second.sha : "";
      expect([remote.head(draft.branch), await repository.contains(head, replaces)]).toEqual([head, false]);
      expect(await repository.commitAndPush({ ...again, message: "Late" })).toMatchObject({ kind: "rejected" });
      await environment.close();
    });

    it.each([
      { there: "meshroll/shop", wanted: "meshroll/shop/half" },
      { there: "meshroll/shop/half/old", wanted: "meshroll/shop/half" },
    ])("are refused for $wanted while a branch $there exists, and the refusal names it", async ({ there, wanted }) => {
      const environment = await make();
      const { remote } = environment;
      const startAt = remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
      remote.commitTo(there, { files: { "rollouts.yml": "theirs\n" } });
      const repository = await environment.open();
      await repository.fetch();
      const author = { name: "meshroll planner", email: "planner@example.org" };
      const draft = { branch: wanted, startAt, message: "Stage", author, files: { "rollouts.yml": "two\n" } };
      await expect(repository.commitAndPush(draft)).rejects.toThrow(
        expect.objectContaining({ name: "GitRefused", refusal: "branchInTheWay", branch: there }),
      );
      expect(remote.head(wanted)).toBeUndefined();
      await environment.close();
    });
  });
}
