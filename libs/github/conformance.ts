import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ForgeRules, ForgeWorld } from "./conformance-world.ts";
import { ForgeRefused, ForgeUnavailable } from "./errors.ts";
import { describeAuthorship } from "./conformance-authorship.ts";
import { describeEdits } from "./conformance-edits.ts";
import { describeIssues } from "./conformance-issues.ts";
import { describeRecords } from "./conformance-records.ts";
import type { Check, Forge, PullRequest } from "./port.ts";

export type { ForgeRules, ForgeWorld } from "./conformance-world.ts";

const none: ForgeRules = { requiredReviews: 0, requiredChecks: [] };
const branch = "meshroll/half/5";

/** What every `Forge` must do; run against the fake and against GitHub's API. */
export function describeForge(name: string, make: (rules: ForgeRules) => Promise<ForgeWorld>): void {
  describe(`${name}`, () => {
    let world: ForgeWorld;
    let forge: Forge;
    beforeEach(async () => {
      world = await make(none);
      forge = world.as("bot");
    });
    afterEach(async () => world.close());

    async function propose(content = "two\n", from = branch): Promise<PullRequest> {
      world.remote.commitTo(from, { files: { "rollouts.yml": content } });
      return forge.openPullRequest({ branch: from, base: "main", title: "5 % of production", body: "Who moves" });
    }

    it("opens a pull request and finds it by its branch alone", async () => {
      const pull = await propose();
      const want = {
        title: "5 % of production",
        branch,
        base: "main",
        state: "open",
        author: "bot",
        headSha: world.remote.head(branch),
      };
      expect(pull).toMatchObject(want);
      expect(pull).not.toHaveProperty("mergeSha");
      expect(pull.url).toMatch(/^https?:/);
      expect(await forge.findPullRequests(branch)).toEqual([pull]);
      expect(await forge.findPullRequests("meshroll/half")).toEqual([]);
    });

    it("answers the open one instead of opening a second, also when asked twice at once", async () => {
      const first = await propose();
      const draft = { branch, base: "main", title: "Again", body: "" };
      const again = await Promise.all([forge.openPullRequest(draft), world.as("ada").openPullRequest(draft)]);
      expect(again.map((pull) => pull.number)).toEqual([first.number, first.number]);
      world.remote.commitTo("b", { files: { "rollouts.yml": "b" } });
      const both = await Promise.all(
        ["bot", "ada"].map(async (login) =>
          world.as(login === "bot" ? "bot" : "ada").openPullRequest({ ...draft, branch: "b" }),
        ),
      );
      expect(both[0]?.number).toBe(both[1]?.number);
      expect(await forge.findPullRequests("b")).toHaveLength(1);
    });

    it("opens a new one after the old one was closed, and lists the newest first", async () => {
      const closed = await propose();
      await world.closePullRequest(closed.number);
      const next = await forge.openPullRequest({ branch, base: "main", title: "Once more", body: "" });
      expect(next.number).not.toBe(closed.number);
      const found = await forge.findPullRequests(branch);
      expect(found.map((pull) => [pull.number, pull.state])).toEqual([
        [next.number, "open"],
        [closed.number, "closed"],
      ]);
    });

    it("follows the branch's head while the pull request is open", async () => {
      await propose();
      const later = world.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" } });
      expect((await forge.findPullRequests(branch))[0]?.headSha).toBe(later);
    });

    it("merges at the expected head, says who did, and finds it again by the commit it made", async () => {
      const pull = await propose();
      const outcome = await world.as("ada").merge(pull.number, pull.headSha);
      expect(outcome).toEqual({ kind: "merged", sha: world.remote.head("main") });
      const sha = world.remote.head("main") ?? "";
      const want = {
        number: pull.number,
        state: "merged",
        mergedBy: "ada",
        mergeSha: sha,
        headSha: pull.headSha,
        author: "bot",
      };
      expect((await forge.findPullRequests(branch))[0]).toMatchObject(want);
      expect(await forge.findByMergeCommit(sha)).toMatchObject(want);
      expect(await forge.findByMergeCommit(pull.headSha)).toBeUndefined();
      expect(await forge.findByMergeCommit("0123456789012345678901234567890123456789")).toBeUndefined();
    });

    it("answers a second merge as the first, for its answer may have been lost", async () => {
      const pull = await propose();
      const outcome = await forge.merge(pull.number, pull.headSha);
      expect(await forge.merge(pull.number, pull.headSha)).toEqual(outcome);
    });

    it("refuses to merge what changed since it was looked at, and what was closed", async () => {
      const pull = await propose();
      const main = world.remote.head("main");
      const later = world.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" } });
      expect(await forge.merge(pull.number, pull.headSha)).toMatchObject({ kind: "refused" });
      await world.closePullRequest(pull.number);
      expect(await forge.merge(pull.number, later)).toMatchObject({ kind: "refused" });
      expect(world.remote.head("main")).toBe(main);
    });

    it("refuses to merge a conflict, and loses nothing of what was merged before", async () => {
      const pull = await propose();
      world.remote.commitTo("other", { files: { "other.md": "x\n" } });
      const other = await forge.openPullRequest({ branch: "other", base: "main", title: "Other", body: "" });
      world.remote.commitTo("main", { files: { "rollouts.yml": "main\n" } });
      expect(await forge.merge(pull.number, pull.headSha)).toMatchObject({ kind: "refused" });
      expect(await forge.merge(other.number, other.headSha)).toMatchObject({ kind: "merged" });
    });

    it("tells who reviewed what", async () => {
      const pull = await propose();
      expect(await forge.reviews(pull.number)).toEqual([]);
      await world.as("ada").approve(pull.number);
      expect(await forge.reviews(pull.number)).toEqual([{ author: "ada", state: "approved", commit: pull.headSha }]);
      await expect(forge.approve(pull.number)).rejects.toThrow(ForgeRefused);
    });

    it("lists every open pull request to main, ours or not, oldest first", async () => {
      const first = await propose();
      world.remote.commitTo("ana/x", { files: { x: "x\n" } });
      const second = await world.as("ada").openPullRequest({ branch: "ana/x", base: "main", title: "X", body: "" });
      const third = await propose("three\n", "c");
      await world.closePullRequest(first.number);
      const open = await forge.listOpenPullRequests("main");
      expect(open.map(({ number, author, headSha }) => [number, author, headSha])).toEqual([
        [second.number, "ada", second.headSha],
        [third.number, "bot", third.headSha],
      ]);
      expect(await forge.listOpenPullRequests("other")).toEqual([]);
    });

    it("refuses a branch that is not there, one without changes, and a number that nobody has", async () => {
      const draft = { branch: "nowhere", base: "main", title: "x", body: "" };
      await expect(forge.openPullRequest(draft)).rejects.toThrow(ForgeRefused);
      await expect(forge.openPullRequest({ ...draft, branch: "main" })).rejects.toThrow(ForgeRefused);
      await expect(forge.reviews(99)).rejects.toThrow(ForgeRefused);
      await expect(forge.merge(99, world.remote.head("main") ?? "")).rejects.toThrow(ForgeRefused);
    });

    it("is unavailable, not empty, while nobody answers", async () => {
      const pull = await propose();
      world.setUnavailable(true);
      await expect(forge.findPullRequests(branch)).rejects.toThrow(ForgeUnavailable);
      await expect(forge.merge(pull.number, pull.headSha)).rejects.toThrow(ForgeUnavailable);
      world.setUnavailable(false);
      expect(await forge.findPullRequests(branch)).toHaveLength(1);
    });
  });

  describeAuthorship(name, make);
  describeEdits(name, make);
  describeIssues(name, make);
  describeRecords(name, make);

  describe(`${name} with protection`, () => {
    it("10.1 counts our own check by its newest word on this head", async () => {
      const world = await make({ requiredReviews: 0, requiredChecks: ["meshroll/plan"] });
      const forge = world.as("bot");
      const headSha = world.remote.commitTo(branch, { files: { "rollouts.yml": "two\n" } });
      const pull = await forge.openPullRequest({ branch, base: "main", title: "5 %", body: "" });
      const wanted: readonly (readonly [Check["state"], "merged" | "refused"])[] = [
        ["pending", "refused"],
        ["failure", "refused"],
        ["success", "merged"],
      ];
      for (const [state, want] of wanted) {
        await forge.postCheck({ name: "meshroll/plan", headSha, state, title: state, summary: "" });
        expect(await forge.merge(pull.number, headSha)).toMatchObject({ kind: want });
      }
      await world.close();
    });

    it("takes a neutral check, which says that nothing was judged, for no obstacle", async () => {
      const world = await make({ requiredReviews: 0, requiredChecks: ["meshroll/plan"] });
      const forge = world.as("bot");
      const headSha = world.remote.commitTo(branch, { files: { "README.md": "two\n" } });
      const pull = await forge.openPullRequest({ branch, base: "main", title: "Docs", body: "" });
      const check: Check = { name: "meshroll/plan", headSha, state: "neutral", title: "not judged", summary: "why" };
      await forge.postCheck(check);
      expect(await forge.findChecks(headSha)).toEqual([check]);
      expect(await forge.merge(pull.number, headSha)).toMatchObject({ kind: "merged" });
      await world.close();
    });

    it("merges only with the required check on this head and the approval of somebody else", async () => {
      const world = await make({ requiredReviews: 1, requiredChecks: ["meshroll/plan"] });
      const forge = world.as("bot");
      const head = world.remote.commitTo(branch, { files: { "rollouts.yml": "two\n" } });
      const pull = await forge.openPullRequest({ branch, base: "main", title: "5 %", body: "" });
      expect(await forge.merge(pull.number, head)).toMatchObject({ kind: "refused" });
      await world.passCheck(head, "meshroll/plan");
      expect(await forge.merge(pull.number, head)).toMatchObject({ kind: "refused" });
      await world.as("bob").approve(pull.number);
      const later = world.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" } });
      expect(await forge.merge(pull.number, later)).toMatchObject({ kind: "refused" });
      await world.passCheck(later, "meshroll/plan");
      expect(await forge.merge(pull.number, later)).toMatchObject({ kind: "merged" });
      await world.close();
    });
  });
}
