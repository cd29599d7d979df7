import { describe, expect, it } from "vitest";

import { usePull } from "./pull.ts";
import type { ScmSetup } from "./environment.ts";
import { ScmRefused, ScmUnavailable } from "../port/errors.ts";

/** What every `Scm` knows of issues, of new comments, and of who may do what. */
export function describeIssues(name: string, { make }: Pick<ScmSetup, "make">): void {
  describe(`${name}: issues and comments of people`, () => {
    const context = usePull(make, { branch: "meshroll/half/five", title: "5 %", body: "Who moves" });

    const draft = { title: "Mesh rollouts", body: "<!-- meshroll:dashboard -->\nnothing runs", labels: ["meshroll"] };

    it("finds an issue again by its label, and no pull request that has the same one", async () => {
      const { environment, scm, pull } = context();
      await scm.addLabels(pull.number, ["meshroll"]);
      const made = await scm.openIssue(draft);
      expect(made).toMatchObject({ title: draft.title, body: draft.body, author: "bot" });
      const { ours, ...issue } = made;
      expect([ours, await scm.listIssues("meshroll")]).toEqual([true, [made]]);
      expect(await environment.as("ada").listIssues("meshroll")).toEqual([issue]);
      expect(await scm.listIssues("other")).toEqual([]);
      expect(made.number).not.toBe(pull.number);
      expect(await scm.findPullRequest(made.number)).toBe(undefined);
      expect(await scm.findPullRequest(pull.number)).toEqual({ ...pull, labels: ["meshroll"] });
    });

    it("edits an issue in place; what it says already is written once", async () => {
      const { scm } = context();
      const { number } = await scm.openIssue(draft);
      await scm.updateIssue(number, { title: draft.title, body: "later" });
      await scm.updateIssue(number, { title: draft.title, body: "later" });
      expect((await scm.listIssues("meshroll"))[0]).toMatchObject({ number, title: draft.title, body: "later" });
      await expect(scm.updateIssue(7777, { title: "", body: "" })).rejects.toThrow(ScmRefused);
    });

    it("tells of new comments on pull requests and issues alike, and of nothing older", async () => {
      const { environment, scm, pull } = context();
      const { number } = await scm.openIssue(draft);
      await scm.putComment(pull.number, "<!-- a -->", "<!-- a -->\none");
      await environment.as("ada").putComment(number, "<!-- b -->", "<!-- b -->\ntwo");
      const found = await scm.recentComments(0);
      expect(found.map(({ number: on, author }) => [on, author])).toEqual([
        [pull.number, "bot"],
        [number, "ada"],
      ]);
      expect(found.map(({ body }) => body.split("\n")[1])).toEqual(["one", "two"]);
      expect([found[0]?.editedAt, found[1]?.isMember]).toEqual([found[0]?.at, true]);
      const last = Math.max(...found.map(({ editedAt }) => editedAt));
      expect(await scm.recentComments(last + 1000)).toEqual([]);
    });

    it("says what an account may do", async () => {
      const { environment, scm } = context();
      expect(await scm.permissionOf("ada")).toBe("write");
      environment.setUnavailable(true);
      await expect(scm.permissionOf("ada")).rejects.toThrow(ScmUnavailable);
      await expect(scm.recentComments(0)).rejects.toThrow(ScmUnavailable);
      environment.setUnavailable(false);
    });
  });
}
