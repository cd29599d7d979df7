import { describe, expect, it } from "vitest";

import { usePull } from "./conformance-pull.ts";
import type { ForgeRules, ForgeWorld } from "./conformance-world.ts";
import { ForgeRefused, ForgeUnavailable } from "./errors.ts";

/** What every `Forge` knows of issues, of new comments, and of who may do what. */
export function describeIssues(name: string, make: (rules: ForgeRules) => Promise<ForgeWorld>): void {
  describe(`${name}: issues and comments of people`, () => {
    const scene = usePull(make, { branch: "meshroll/half/five", title: "5 %", body: "Who moves" });

    const draft = { title: "Mesh rollouts", body: "<!-- meshroll:dashboard -->\nnothing runs", labels: ["meshroll"] };

    it("finds an issue again by its label, and no pull request that has the same one", async () => {
      const { world, forge, pull } = scene();
      await forge.addLabels(pull.number, ["meshroll"]);
      const made = await forge.openIssue(draft);
      expect(made).toMatchObject({ title: draft.title, body: draft.body, author: "bot" });
      const { ours, ...issue } = made;
      expect([ours, await forge.listIssues("meshroll")]).toEqual([true, [made]]);
      expect(await world.as("ada").listIssues("meshroll")).toEqual([issue]);
      expect(await forge.listIssues("other")).toEqual([]);
      expect(made.number).not.toBe(pull.number);
      expect(await forge.findPullRequest(made.number)).toBe(undefined);
      expect(await forge.findPullRequest(pull.number)).toEqual({ ...pull, labels: ["meshroll"] });
    });

    it("edits an issue in place; what it says already is written once", async () => {
      const { forge } = scene();
      const { number } = await forge.openIssue(draft);
      await forge.updateIssue(number, { title: draft.title, body: "later" });
      await forge.updateIssue(number, { title: draft.title, body: "later" });
      expect((await forge.listIssues("meshroll"))[0]).toMatchObject({ number, title: draft.title, body: "later" });
      await expect(forge.updateIssue(7777, { title: "", body: "" })).rejects.toThrow(ForgeRefused);
    });

    it("tells of new comments on pull requests and issues alike, and of nothing older", async () => {
      const { world, forge, pull } = scene();
      const { number } = await forge.openIssue(draft);
      await forge.putComment(pull.number, "<!-- a -->", "<!-- a -->\none");
      await world.as("ada").putComment(number, "<!-- b -->", "<!-- b -->\ntwo");
      const found = await forge.recentComments(0);
      expect(found.map(({ number: on, author }) => [on, author])).toEqual([
        [pull.number, "bot"],
        [number, "ada"],
      ]);
      expect(found.map(({ body }) => body.split("\n")[1])).toEqual(["one", "two"]);
      expect(found[0]?.editedAt).toBe(found[0]?.at);
      const last = Math.max(...found.map(({ editedAt }) => editedAt));
      expect(await forge.recentComments(last + 1000)).toEqual([]);
    });

    it("tells of an edit within the second of the writing, of what may be a command", async () => {
      const { world, forge, pull } = scene();
      await world.as("ada").putComment(pull.number, "<!-- a -->", "/meshroll pause as it was");
      await world.as("ada").putComment(pull.number, "<!-- b -->", "/meshroll pause as it was");
      await world.as("ada").putComment(pull.number, "<!-- b -->", "/meshroll pause as it is now");
      const found = await forge.recentComments(0);
      const edits = found.map(({ body, at, editedAt, isEditUnknown = false }) => {
        return `${body.split("\n")[1]}: ${editedAt > at} ${isEditUnknown}`;
      });
      expect(new Set(edits)).toEqual(
        new Set(["/meshroll pause as it is now: true false", "/meshroll pause as it was: false false"]),
      );
    });

    it("reacts to a comment, however often it is asked; one that is gone is no fault", async () => {
      const { forge, pull } = scene();
      await forge.putComment(pull.number, "<!-- a -->", "one");
      const id = (await forge.recentComments(0))[0]?.id ?? 0;
      await forge.react(id, "eyes");
      await forge.react(id, "eyes");
      await forge.react(id, "rocket");
      await forge.react(987_654, "eyes");
      // A reaction is no edit: a command that we have seen must not look like one that somebody rewrote.
      expect((await forge.recentComments(0)).map(({ at, editedAt }) => editedAt - at)).toEqual([0]);
    });

    it("says what somebody may do", async () => {
      const { world, forge } = scene();
      expect(await forge.permissionOf("ada")).toBe("write");
      world.setUnavailable(true);
      await expect(forge.permissionOf("ada")).rejects.toThrow(ForgeUnavailable);
      await expect(forge.recentComments(0)).rejects.toThrow(ForgeUnavailable);
      world.setUnavailable(false);
    });
  });
}
