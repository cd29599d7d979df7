import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ScmRules, ScmEnvironment, Unsupported } from "./conformance/environment.ts";
import { ScmRefused, ScmUnavailable } from "./port/errors.ts";
import { describeAuthorship } from "./conformance/authorship.ts";
import { describeEdits } from "./conformance/edits.ts";
import { describeIssues } from "./conformance/issues.ts";
import { describeLedgerRules } from "./conformance/ledger-rules.ts";
import { describeQueue } from "./conformance/queue.ts";
import { describeRecords } from "./conformance/records.ts";
import type { Check, Scm, PullRequest } from "./port/port.ts";

export type { ScmRules, ScmEnvironment, Unsupported } from "./conformance/environment.ts";

const none: ScmRules = { requiredReviews: 0, requiredChecks: [] };
const branch = "meshroll/half/5";

/** What every `Scm` must do; run against the fake, GitHub's API and Gitea. `unsupported`: features that this one lacks. */
export function describeScm(
  name: string,
  make: (rules: ScmRules) => Promise<ScmEnvironment>,
  unsupported: ReadonlySet<Unsupported> = new Set(),
): void {
  describe(`${name}`, () => {
    let environment: ScmEnvironment;
    let scm: Scm;
    beforeEach(async () => {
      environment = await make(none);
      scm = environment.as("bot");
    });
    afterEach(async () => environment.close());

    async function propose(content = "two\n", from = branch): Promise<PullRequest> {
      await environment.remote.commitTo(from, { files: { "rollouts.yml": content } });
      return scm.openPullRequest({ branch: from, base: "main", title: "5 % of production", body: "Who moves" });
    }

    it("opens a pull request and finds it by its branch alone", async () => {
      const pull = await propose();
      const want = {
        title: "5 % of production",
        branch,
        base: "main",
        state: "open",
        author: "bot",
        headSha: await environment.remote.head(branch),
      };
      expect(pull).toMatchObject(want);
      expect(pull).not.toHaveProperty("mergeSha");
      expect(pull.url).toMatch(/^https?:/);
      expect(await scm.findPullRequests(branch)).toEqual([pull]);
      expect(await scm.findPullRequests("meshroll/half")).toEqual([]);
    });

    it("returns the open one instead of opening a second, also for two calls at once", async () => {
      const first = await propose();
      const draft = { branch, base: "main", title: "Again", body: "" };
      const again = await Promise.all([scm.openPullRequest(draft), environment.as("ada").openPullRequest(draft)]);
      expect(again.map((pull) => pull.number)).toEqual([first.number, first.number]);
      await environment.remote.commitTo("b", { files: { "rollouts.yml": "b" } });
      const both = await Promise.all(
        ["bot", "ada"].map(async (login) =>
          environment.as(login === "bot" ? "bot" : "ada").openPullRequest({ ...draft, branch: "b" }),
        ),
      );
      expect(both[0]?.number).toBe(both[1]?.number);
      const open = (await scm.findPullRequests("b")).filter(({ state }) => state === "open");
      expect(open.map(({ number }) => number)).toEqual([both[0]?.number]);
    });

    it("opens a new one after the old one was closed, and lists the newest first", async () => {
      const closed = await propose();
      await environment.closePullRequest(closed.number);
      const next = await scm.openPullRequest({ branch, base: "main", title: "Once more", body: "" });
      expect(next.number).not.toBe(closed.number);
      const found = await scm.findPullRequests(branch);
      expect(found.map((pull) => [pull.number, pull.state])).toEqual([
        [next.number, "open"],
        [closed.number, "closed"],
      ]);
    });

    it("follows the branch's head while the pull request is open", async () => {
      await propose();
      const later = await environment.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" } });
      expect((await scm.findPullRequests(branch))[0]?.headSha).toBe(later);
    });

    it("merges at the expected head, says who merged, and finds the pull request by its merge commit", async () => {
      const pull = await propose();
      const outcome = await environment.as("ada").merge(pull.number, pull.headSha);
      expect(outcome).toEqual({ kind: "merged", sha: await environment.remote.head("main") });
      const sha = (await environment.remote.head("main")) ?? "";
      const want = {
        number: pull.number,
        state: "merged",
        mergedBy: "ada",
        mergeSha: sha,
        headSha: pull.headSha,
        author: "bot",
      };
      expect((await scm.findPullRequests(branch))[0]).toMatchObject(want);
      expect(await scm.findByMergeCommit(sha)).toMatchObject(want);
      expect(await scm.findByMergeCommit(pull.headSha)).toBeUndefined();
      expect(await scm.findByMergeCommit("0123456789012345678901234567890123456789")).toBeUndefined();
    });

    it("answers a second merge like the first, because the first answer may have been lost", async () => {
      const pull = await propose();
      const outcome = await scm.merge(pull.number, pull.headSha);
      expect(await scm.merge(pull.number, pull.headSha)).toEqual(outcome);
    });

    it("refuses to merge a head that changed, and a closed pull request", async () => {
      const pull = await propose();
      const main = await environment.remote.head("main");
      const later = await environment.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" } });
      expect(await scm.merge(pull.number, pull.headSha)).toMatchObject({ kind: "refused" });
      await environment.closePullRequest(pull.number);
      expect(await scm.merge(pull.number, later)).toMatchObject({ kind: "refused" });
      expect(await environment.remote.head("main")).toBe(main);
    });

    it("refuses to merge a conflict, and then merges another pull request", async () => {
      const pull = await propose();
      await environment.remote.commitTo("other", { files: { "other.md": "x\n" } });
      const other = await scm.openPullRequest({ branch: "other", base: "main", title: "Other", body: "" });
      await environment.remote.commitTo("main", { files: { "rollouts.yml": "main\n" } });
      expect(await scm.merge(pull.number, pull.headSha)).toMatchObject({ kind: "refused" });
      const outcome = await scm.merge(other.number, other.headSha);
      expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: "merged" });
    });

    it("says who reviewed what", async () => {
      const pull = await propose();
      expect(await scm.reviews(pull.number)).toEqual([]);
      await environment.approve("ada", pull.number);
      expect(await scm.reviews(pull.number)).toEqual([
        { author: "ada", state: "approved", commit: pull.headSha, at: expect.any(Number) },
      ]);
    });

    it("lists every open pull request to main, ours or not, oldest first", async () => {
      const first = await propose();
      await environment.remote.commitTo("ana/x", { files: { x: "x\n" } });
      const second = await environment
        .as("ada")
        .openPullRequest({ branch: "ana/x", base: "main", title: "X", body: "" });
      const third = await propose("three\n", "c");
      await environment.closePullRequest(first.number);
      const open = await scm.listOpenPullRequests("main");
      expect(open.map(({ number, author, headSha }) => [number, author, headSha])).toEqual([
        [second.number, "ada", second.headSha],
        [third.number, "bot", third.headSha],
      ]);
      expect(await scm.listOpenPullRequests("other")).toEqual([]);
    });

    it("refuses a branch that is not there, one without changes, and a number that does not exist", async () => {
      const draft = { branch: "nowhere", base: "main", title: "x", body: "" };
      await expect(scm.openPullRequest(draft)).rejects.toThrow(ScmRefused);
      await expect(scm.openPullRequest({ ...draft, branch: "main" })).rejects.toThrow(ScmRefused);
      await expect(scm.reviews(99)).rejects.toThrow(ScmRefused);
      await expect(scm.merge(99, (await environment.remote.head("main")) ?? "")).rejects.toThrow(ScmRefused);
    });

    it("is unavailable, not empty, while there is no answer", async () => {
      const pull = await propose();
      environment.setUnavailable(true);
      await expect(scm.findPullRequests(branch)).rejects.toThrow(ScmUnavailable);
      await expect(scm.merge(pull.number, pull.headSha)).rejects.toThrow(ScmUnavailable);
      environment.setUnavailable(false);
      expect(await scm.findPullRequests(branch)).toHaveLength(1);
    });
  });

  describeAuthorship(name, { make });
  describeEdits(name, { make, unsupported });
  describeIssues(name, { make });
  describeLedgerRules(name, { make, unsupported });
  if (!unsupported.has("queue")) describeQueue(name, { make });
  describeRecords(name, { make, unsupported });

  describe(`${name} with protection`, () => {
    it("10.1 counts our own check by its newest state on this head", async () => {
      const environment = await make({ requiredReviews: 0, requiredChecks: ["meshroll/plan"] });
      const scm = environment.as("bot");
      const headSha = await environment.remote.commitTo(branch, { files: { "rollouts.yml": "two\n" } });
      const pull = await scm.openPullRequest({ branch, base: "main", title: "5 %", body: "" });
      const wanted: readonly (readonly [Check["state"], "merged" | "refused"])[] = [
        ["pending", "refused"],
        ["failure", "refused"],
        ["success", "merged"],
      ];
      for (const [state, want] of wanted) {
        await scm.postCheck({ name: "meshroll/plan", headSha, state, title: state, summary: "" });
        const outcome = await scm.merge(pull.number, headSha);
        expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: want });
      }
      await environment.close();
    });

    it("merges with a neutral check, where the SCM has that state", async () => {
      const environment = await make({ requiredReviews: 0, requiredChecks: ["meshroll/plan"] });
      const scm = environment.as("bot");
      const headSha = await environment.remote.commitTo(branch, { files: { "README.md": "two\n" } });
      const pull = await scm.openPullRequest({ branch, base: "main", title: "Docs", body: "" });
      const check: Check = { name: "meshroll/plan", headSha, state: "neutral", title: "not judged", summary: "why" };
      await scm.postCheck(check);
      // A commit status has no neutral state, and a change that was not judged must not be green.
      const isStatus = unsupported.has("checkRuns");
      const shown: Check = isStatus ? { ...check, state: "pending", summary: "" } : check;
      expect(await scm.findChecks(headSha)).toMatchObject([shown]);
      expect(await scm.merge(pull.number, headSha)).toMatchObject({ kind: isStatus ? "refused" : "merged" });
      await environment.close();
    });

    it("merges only with the required check on this head and the approval of a second person", async () => {
      const environment = await make({ requiredReviews: 1, requiredChecks: ["meshroll/plan"] });
      const scm = environment.as("bot");
      const head = await environment.remote.commitTo(branch, { files: { "rollouts.yml": "two\n" } });
      const pull = await scm.openPullRequest({ branch, base: "main", title: "5 %", body: "" });
      expect(await scm.merge(pull.number, head)).toMatchObject({ kind: "refused" });
      await environment.passCheck(head, "meshroll/plan");
      expect(await scm.merge(pull.number, head)).toMatchObject({ kind: "refused" });
      await environment.approve("bob", pull.number);
      const later = await environment.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" } });
      expect(await scm.merge(pull.number, later)).toMatchObject({ kind: "refused" });
      await environment.passCheck(later, "meshroll/plan");
      expect(await scm.merge(pull.number, later)).toMatchObject({ kind: "merged" });
      await environment.close();
    });
  });
}
