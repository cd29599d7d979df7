import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { describeMadeCommits } from "./conformance/made-commits.ts";
import { describeMergeTrials } from "./conformance/merge.ts";
import { describeTreeReading } from "./conformance/tree.ts";
import type { RepositorySetup } from "./conformance/environment.ts";
import { GitRefused } from "./errors.ts";
import type { CommitDraft, RolloutsRepository } from "./port.ts";

export { type BareRemote, openBareRemote } from "./fake/bare-remote.ts";
export { describeOutage, type Outage } from "./conformance/outage.ts";
export type { RepositorySetup } from "./conformance/environment.ts";

const author = { name: "meshroll planner", email: "planner@example.org" };
const ledger = "meshroll/ledger";
const unknownCommit = "0123456789012345678901234567890123456789";

function draft(change: Partial<CommitDraft>): CommitDraft {
  return { branch: ledger, files: { "a.json": "{}" }, message: "A transition", author, ...change };
}

/** What every `RolloutsRepository` must do; run against the fake and against git. */
export function describeRolloutsRepository(name: string, make: () => Promise<RepositorySetup>): void {
  describeMergeTrials(name, make);
  describeTreeReading(name, make);
  describeMadeCommits(name, make);
  describe(`${name}`, () => {
    let environment: RepositorySetup;
    let repository: RolloutsRepository;
    let first: string;
    beforeEach(async () => {
      environment = await make();
      first = environment.remote.commitToMain({
        files: { "rollouts.yml": "one\n", "campaigns/a.yml": "a\n" },
        message: "First",
      });
      repository = await environment.open();
    });
    afterEach(async () => environment.close());

    it("fetches both heads, and no ledger before there is one", async () => {
      expect(await repository.fetch()).toEqual({ main: first });
      const recorded = environment.remote.commitTo(ledger, { files: { baseline: "x" } });
      const second = environment.remote.commitToMain({ files: { "rollouts.yml": "two\n" } });
      expect(await repository.fetch()).toEqual({ main: second, ledger: recorded });
    });

    it("follows a forced main and a deleted ledger, and still reads the vanished commit", async () => {
      environment.remote.commitTo(ledger, { files: { baseline: "x" } });
      const lost = environment.remote.commitToMain({ files: { "rollouts.yml": "two\n" } });
      await repository.fetch();
      environment.remote.force("main", first);
      environment.remote.removeBranch(ledger);
      expect(await repository.fetch()).toEqual({ main: first });
      expect(await repository.contains(first, lost)).toBe(false);
      const late = await environment.open();
      await late.fetch();
      expect(await late.read(lost, "rollouts.yml")).toBe("two\n");
    });

    it("recalls what an earlier process fetched and pushed, and nothing in a new clone", async () => {
      const onto = environment.remote.commitTo(ledger, { files: { baseline: "x" } });
      const before = await environment.open("one");
      expect(await before.recall()).toBeUndefined();
      await before.fetch();
      expect(await (await environment.open("one")).recall()).toEqual({ main: first, ledger: onto });
      const pushed = await before.commitAndPush(draft({ onto }));
      if (pushed.kind === "rejected") throw new Error(pushed.why);
      const next = environment.remote.commitToMain({ files: { "rollouts.yml": "two\n" } });
      const after = await environment.open("one");
      expect(await after.recall()).toEqual({ main: first, ledger: pushed.sha });
      environment.remote.force(ledger, onto);
      await after.fetch();
      expect(await after.recall()).toEqual({ main: next, ledger: onto });
      expect(await (await environment.open("two")).recall()).toBeUndefined();
    });

    it("stores notes for the next process with the same clone only", async () => {
      const before = await environment.open("one");
      expect(await before.readNote("ledger")).toBeUndefined();
      await before.writeNote("ledger", "a\n");
      await before.writeNote("ledger", "b\n");
      await before.writeNote("other", "c\n");
      const after = await environment.open("one");
      expect([await after.readNote("ledger"), await after.readNote("other")]).toEqual(["b\n", "c\n"]);
      expect(await (await environment.open("two")).readNote("ledger")).toBeUndefined();
    });

    it("refuses when main is gone", async () => {
      await repository.fetch();
      environment.remote.removeBranch("main");
      await expect(repository.fetch()).rejects.toThrow(GitRefused);
    });

    it("stops a fetch that its caller aborts", async () => {
      await expect(repository.fetch(AbortSignal.abort(new Error("given up")))).rejects.toThrow("given up");
    });

    it("1.1 lists only first-parent commits, oldest first, with author, time and message", async () => {
      const branch = environment.remote.commitTo("change", {
        files: { "rollouts.yml": "two\n" },
        message: "On the branch",
      });
      const at = Date.UTC(2026, 10, 20);
      const direct = environment.remote.commitToMain({
        files: { "other.md": "x" },
        author: "Ada Löwe",
        at,
        message: "Direct\n\nWith  a body: 100 %",
      });
      const merge = environment.remote.mergeToMain({ branch: "change", message: "Merged" });
      await repository.fetch();
      const sha = merge.kind === "merged" ? merge.sha : "";
      const commits = await repository.firstParents(undefined, sha);
      expect(commits.map((commit) => commit.sha)).toEqual([first, direct, sha]);
      expect(commits[1]).toEqual({
        sha: direct,
        parents: [first],
        author: "Ada Löwe",
        at,
        message: "Direct\n\nWith  a body: 100 %",
      });
      expect(commits[2]).toMatchObject({ parents: [direct, branch], message: "Merged" });
      expect((await repository.firstParents(first, sha)).map((commit) => commit.sha)).toEqual([direct, sha]);
      expect(await repository.firstParents(sha, sha)).toEqual([]);
      expect(await repository.firstParents(sha, first)).toEqual([]);
    });

    it("finds a commit in the first-parent history only", async () => {
      const branch = environment.remote.commitTo("change", { files: { "rollouts.yml": "two\n" } });
      const direct = environment.remote.commitToMain({ files: { "other.md": "x" } });
      const merge = environment.remote.mergeToMain({ branch: "change" });
      const sha = merge.kind === "merged" ? merge.sha : "";
      await repository.fetch();
      const wantContained: Record<string, boolean> = {
        [sha]: true,
        [direct]: true,
        [first]: true,
        [branch]: false,
        [unknownCommit]: false,
      };
      for (const [commit, want] of Object.entries(wantContained))
        expect(await repository.contains(sha, commit)).toBe(want);
      expect(await repository.contains(first, sha)).toBe(false);
      expect(await repository.listOutside(sha, Object.keys(wantContained))).toEqual([branch, unknownCommit]);
      expect(await repository.listOutside(first, [sha, first])).toEqual([sha]);
    });

    it("resolves branches, full ids and their first parents, and nothing else", async () => {
      const second = environment.remote.commitToMain({ files: { "rollouts.yml": "two\n" } });
      const side = environment.remote.commitTo("ana/staging-50", { files: { "rollouts.yml": "three\n" } });

      const answers = await Promise.all(
        ["main", "main~1", "main~9", second, `${second}~1`, "ana/staging-50", "no-such-ref"].map(async (ref) =>
          repository.resolve(ref),
        ),
      );

      expect(answers).toEqual([second, first, undefined, second, first, side, undefined]);
    });

    it("reads and lists regular files, and nothing else", async () => {
      const head = environment.remote.commitToMain({
        files: {
          "campaigns/b.yml": "grüße\r\n",
          "campaigns/done/c.yml": "c",
          "campaigns/empty.yml": "",
          "campaigns/link.yml": { symlink: "/etc/passwd" },
          "campaigns/sub": { submodule: unknownCommit },
          folder: { symlink: "campaigns" },
        },
      });
      await repository.fetch();
      expect(await repository.read(head, "campaigns/b.yml")).toBe("grüße\r\n");
      expect(await repository.read(head, "campaigns/empty.yml")).toBe("");
      const none = [
        "campaigns",
        "campaigns/",
        "campaigns/link.yml",
        "campaigns/sub",
        "folder",
        "folder/a.yml",
        "no.yml",
        "rollouts.yml/x",
      ];
      for (const path of none.filter((entry) => !entry.endsWith("/")))
        expect(await repository.read(head, path)).toBeUndefined();
      expect(await repository.list(head, "campaigns")).toEqual([
        "campaigns/a.yml",
        "campaigns/b.yml",
        "campaigns/empty.yml",
      ]);
      expect(await repository.list(head, "")).toEqual(["rollouts.yml"]);
      expect(await repository.list(head, "folder")).toEqual([]);
      expect(await repository.list(first, "campaigns")).toEqual(["campaigns/a.yml"]);
    });

    it("refuses names that git would take for options or for other paths", async () => {
      await repository.fetch();
      const bad = ["../x", "a/../b", "/etc/passwd", "-x", "a//b", ".git/config", "a\nb", "a\0b", ""];
      for (const path of bad) await expect(repository.read(first, path)).rejects.toThrow(GitRefused);
      for (const commit of ["main", "HEAD", "--all", first.slice(0, 12), ""])
        await expect(repository.read(commit, "x")).rejects.toThrow(GitRefused);
      const branches = [
        "--upload-pack=touch /tmp/x",
        "-f",
        "a..b",
        "a b",
        "",
        "a/.b",
        "x.lock",
        "a:b",
        "+main",
        "refs/../x",
      ];
      for (const branch of branches)
        await expect(repository.commitAndPush(draft({ branch }))).rejects.toThrow(GitRefused);
      await expect(repository.commitAndPush(draft({ files: { "../x": "" } }))).rejects.toThrow(GitRefused);
    });

    it("refuses a commit that does not exist", async () => {
      await repository.fetch();
      await expect(repository.read(unknownCommit, "rollouts.yml")).rejects.toThrow(GitRefused);
    });

    it("makes an orphan branch once, then builds on it", async () => {
      await repository.fetch();
      const made = await repository.commitAndPush(draft({ files: { baseline: "1", "runs/a.json": '{"a":"ä"}' } }));
      const sha = made.kind === "pushed" ? made.sha : "";
      expect(environment.remote.head(ledger)).toBe(sha);
      expect((await repository.firstParents(undefined, sha)).map((commit) => [commit.parents, commit.author])).toEqual([
        [[], author.name],
      ]);
      expect(await repository.commitAndPush(draft({ files: { baseline: "2" } }))).toMatchObject({ kind: "rejected" });
      const next = await repository.commitAndPush(
        draft({ onto: sha, files: { baseline: null, 'stops/"b".json': "b" }, message: "Next" }),
      );
      const head = next.kind === "pushed" ? next.sha : "";
      expect(await repository.fetch()).toEqual({ main: first, ledger: head });
      expect(await repository.read(head, "baseline")).toBeUndefined();
      expect(await repository.read(head, "runs/a.json")).toBe('{"a":"ä"}');
      expect(await repository.list(head, "stops")).toEqual(['stops/"b".json']);
    });

    it("starts a branch at a commit of main, and refuses a second start", async () => {
      await repository.fetch();
      const start = draft({ branch: "meshroll/c/5", startAt: first, files: { "rollouts.yml": "two\n" } });
      const made = await repository.commitAndPush(start);
      const sha = made.kind === "pushed" ? made.sha : "";
      expect(await repository.read(sha, "campaigns/a.yml")).toBe("a\n");
      expect((await repository.firstParents(first, sha)).map((commit) => commit.parents)).toEqual([[first]]);
      expect(await repository.commitAndPush({ ...start, message: "Again" })).toMatchObject({ kind: "rejected" });
      expect(environment.remote.head("meshroll/c/5")).toBe(sha);
    });

    it("8.2 lets exactly one of two clones move the ledger, and rejects the other", async () => {
      const other = await environment.open();
      const made = await repository.commitAndPush(draft({ files: { baseline: "1" } }));
      const onto = made.kind === "pushed" ? made.sha : "";
      await other.fetch();
      const outcomes = await Promise.all([
        repository.commitAndPush(draft({ onto, message: "Mine" })),
        other.commitAndPush(draft({ onto, message: "Theirs" })),
      ]);
      expect(outcomes.map((outcome) => outcome.kind).toSorted()).toEqual(["pushed", "rejected"]);
      const winner = outcomes.find((outcome) => outcome.kind === "pushed");
      const heads = await Promise.all([repository.fetch(), other.fetch()]);
      for (const head of heads) expect(head.ledger).toBe(winner?.kind === "pushed" ? winner.sha : "");
    });

    it("builds on a branch head that another process pushed", async () => {
      const other = await environment.open();
      await Promise.all([repository.fetch(), other.fetch()]);
      const made = await repository.commitAndPush(draft({ branch: "meshroll/c/5", startAt: first }));
      const onto = made.kind === "pushed" ? made.sha : "";
      expect(await other.commitAndPush(draft({ branch: "meshroll/c/5", onto, message: "More" }))).toMatchObject({
        kind: "pushed",
      });
      expect(await repository.commitAndPush(draft({ branch: "meshroll/c/5", onto, message: "Late" }))).toMatchObject({
        kind: "rejected",
      });
    });

    it("makes every commit that was requested, also when all are requested at once", async () => {
      await repository.fetch();
      const branches = ["c/1", "c/2", "c/3"];
      await Promise.all(
        branches.map(async (branch) => repository.commitAndPush(draft({ branch, startAt: first, message: branch }))),
      );
      for (const branch of branches) expect(environment.remote.head(branch)).toBeDefined();
    });
  });
}
