import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { Check, PullRequest, Scm } from "../port/port.ts";
import type { ScmEnvironment, ScmSetup } from "./environment.ts";

const plan: Check["name"] = "meshroll/plan";

/** What every `Scm` with a merge queue must do. */
export function describeQueue(name: string, { make }: Pick<ScmSetup, "make">): void {
  describe(`${name} with a merge queue`, () => {
    let environment: ScmEnvironment;
    let scm: Scm;
    beforeEach(async () => {
      environment = await make({ requiredReviews: 0, requiredChecks: [plan], queue: true });
      scm = environment.as("bot");
    });
    afterEach(async () => environment.close());

    async function post(headSha: string, state: Check["state"]): Promise<void> {
      await scm.postCheck({ name: plan, headSha, state, title: state, summary: "" });
    }

    /** An open pull request that may be merged. */
    async function propose(branch: string, files: Readonly<Record<string, string>>): Promise<PullRequest> {
      const headSha = await environment.remote.commitTo(branch, { files });
      const pull = await scm.openPullRequest({ branch, base: "main", title: branch, body: "" });
      await post(headSha, "success");
      return pull;
    }

    it("takes a pull request into the queue once, and merges it when the checks of its group are green", async () => {
      const pull = await propose("a", { "rollouts.yml": "two\n" });
      expect(await scm.queuedGroups("main")).toEqual([]);
      expect(await scm.merge(pull.number, pull.headSha)).toEqual({ kind: "queued" });
      expect(await scm.merge(pull.number, pull.headSha)).toEqual({ kind: "queued" });
      const groups = await scm.queuedGroups("main");
      expect(groups).toEqual([{ number: pull.number, headSha: expect.not.stringMatching(pull.headSha) }]);
      expect((await scm.findPullRequest(pull.number))?.state).toBe("open");
      const group = groups[0]?.headSha ?? "";
      await post(group, "success");
      expect(await scm.merge(pull.number, pull.headSha)).toEqual({ kind: "merged", sha: group });
      expect(await environment.remote.head("main")).toBe(group);
      expect(await scm.findByMergeCommit(group)).toMatchObject({ number: pull.number, state: "merged" });
      expect(await scm.queuedGroups("main")).toEqual([]);
    });

    it("tests each group on top of the one before it, and an urgent one before all", async () => {
      const [a, b, c] = [
        await propose("a", { "a.md": "a\n" }),
        await propose("b", { "b.md": "b\n" }),
        await propose("c", { "c.md": "c\n" }),
      ];
      for (const { number, headSha } of [a, b]) await scm.merge(number, headSha);
      await scm.merge(c.number, c.headSha, "urgent");
      const groups = new Map((await scm.queuedGroups("main")).map(({ number, headSha }) => [number, headSha]));
      await post(groups.get(a.number) ?? "", "success");
      expect((await scm.findPullRequest(a.number))?.state).toBe("open");
      await post(groups.get(c.number) ?? "", "success");
      const states = await Promise.all([a, b, c].map(async ({ number }) => (await scm.findPullRequest(number))?.state));
      expect(states).toEqual(["merged", "open", "merged"]);
    });

    it("takes out what fails, and puts it in again only when it is urgent or has another head", async () => {
      const pull = await propose("a", { "rollouts.yml": "two\n" });
      await scm.merge(pull.number, pull.headSha);
      await post((await scm.queuedGroups("main"))[0]?.headSha ?? "", "failure");
      expect(await scm.queuedGroups("main")).toEqual([]);
      expect(await scm.merge(pull.number, pull.headSha)).toMatchObject({
        kind: "refused",
        demands: [{ code: "QueueRemoved", reason: "CI_FAILURE" }],
      });
      expect(await scm.merge(pull.number, pull.headSha, "urgent")).toEqual({ kind: "queued" });
      const later = await environment.remote.commitTo("a", { files: { "rollouts.yml": "three\n" } });
      expect(await scm.merge(pull.number, pull.headSha)).toMatchObject({ kind: "refused" });
      await post(later, "success");
      expect(await scm.merge(pull.number, later)).toEqual({ kind: "queued" });
    });

    it("does not take in what lacks a required check", async () => {
      const headSha = await environment.remote.commitTo("a", { files: { "rollouts.yml": "two\n" } });
      const { number } = await scm.openPullRequest({ branch: "a", base: "main", title: "a", body: "" });
      expect(await scm.merge(number, headSha)).toMatchObject({ kind: "refused" });
      expect(await scm.queuedGroups("main")).toEqual([]);
    });
  });
}
