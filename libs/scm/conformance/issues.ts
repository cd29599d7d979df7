import { describe, expect, it } from "vitest";

import { usePull } from "./pull.ts";
import type { ScmSetup } from "./environment.ts";
import { ScmUnavailable } from "../port/errors.ts";

/** How every `Scm` answers about issues, new comments and permissions. */
export function describeIssues(name: string, { make }: Pick<ScmSetup, "make">): void {
  describe(`${name}: issues and comments of people`, () => {
    const context = usePull(make, { branch: "meshroll/half/five", title: "5 %", body: "Who moves" });

    const marker = "<!-- meshroll:dashboard -->";
    const draft = { title: "Mesh rollouts", body: `${marker}\nnothing runs`, label: "meshroll" };

    it("finds an issue by its label, without pull requests of that label", async () => {
      const { environment, scm, pull } = context();
      await scm.addLabels(pull.number, ["meshroll"]);
      const number = await scm.putIssue(marker, draft);
      const { title, body } = draft;
      const issue = { number, title, body, author: "bot", url: expect.any(String) };
      expect(await scm.listIssues("meshroll")).toEqual([{ ...issue, ours: true }]);
      expect(await environment.as("ada").listIssues("meshroll")).toEqual([issue]);
      expect(await scm.listIssues("other")).toEqual([]);
      expect(number).not.toBe(pull.number);
      expect(await scm.findPullRequest(number)).toBe(undefined);
      expect(await scm.findPullRequest(pull.number)).toEqual({ ...pull, labels: ["meshroll"] });
    });

    it("edits our issue in place, never another account's with our marker", async () => {
      const { environment, scm } = context();
      const theirs = await environment.as("ada").putIssue(marker, draft);
      const number = await scm.putIssue(marker, draft);
      const later = { ...draft, body: `${marker}\nlater` };
      expect([await scm.putIssue(marker, later), await scm.putIssue(marker, later)]).toEqual([number, number]);
      const found = (await scm.listIssues("meshroll")).map((each) => [each.number, each.body]);
      expect(found).toEqual([
        [theirs, draft.body],
        [number, later.body],
      ]);
    });

    it("lists new comments on pull requests and issues, without older ones", async () => {
      const { environment, scm, pull } = context();
      const number = await scm.putIssue(marker, draft);
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
