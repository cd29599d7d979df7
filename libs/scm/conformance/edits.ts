import { describe, expect, it } from "vitest";

import { usePull } from "./pull.ts";
import type { ScmSetup } from "./environment.ts";
import { ScmRefused, ScmUnavailable } from "../port/errors.ts";
import type { PullRequest } from "../port/port.ts";

const branch = "meshroll/half/five";

/** How every `Scm` edits and closes a pull request. */
export function describeEdits(name: string, { make }: ScmSetup): void {
  describe(`${name}: edits`, () => {
    const context = usePull(make, { branch, title: "5 %", body: "Who moves" });

    async function find(): Promise<PullRequest | undefined> {
      return (await context().scm.findPullRequests(branch))[0];
    }

    it("sets title and body, and says whether anything changed", async () => {
      const { scm, pull } = context();
      expect(await scm.updatePullRequest(pull.number, { title: "25 %", body: "Who else" })).toBe(true);
      expect(await scm.updatePullRequest(pull.number, { title: "25 %", body: "Who else" })).toBe(false);
      expect(await find()).toEqual({ ...pull, title: "25 %" });
    });

    it("adds labels to those that are there", async () => {
      const { environment, scm, pull } = context();
      expect(pull.labels).toEqual([]);
      await environment.as("ada").addLabels(pull.number, ["theirs"]);
      await scm.addLabels(pull.number, ["meshroll", "mesh"]);
      await scm.addLabels(pull.number, ["meshroll"]);
      expect((await find())?.labels.toSorted()).toEqual(["mesh", "meshroll", "theirs"]);
      expect((await scm.listOpenPullRequests("main"))[0]?.labels.toSorted()).toEqual(["mesh", "meshroll", "theirs"]);
    });

    it("closes a pull request unmerged and leaves its branch; closing it again changes nothing", async () => {
      const { environment, scm, pull } = context();
      await scm.closePullRequest(pull.number);
      const closed = await find();
      expect(closed).toMatchObject({
        state: "closed",
        closedBy: "bot",
        headSha: await environment.remote.head(branch),
      });
      expect(closed).not.toHaveProperty("mergedBy");
      await environment.as("ada").closePullRequest(pull.number);
      expect(await find()).toEqual(closed);
    });

    it("says who closed it, and when", async () => {
      const { environment, pull } = context();
      await environment.closePullRequest(pull.number);
      const closed = await find();
      expect(closed).toMatchObject({ state: "closed", closedBy: "ada", author: "bot" });
      expect(closed?.closedAt).toBeGreaterThanOrEqual(pull.createdAt);
      expect(pull.createdAt).toBeGreaterThan(Date.UTC(2020, 0));
      expect(pull).not.toHaveProperty("closedAt");
    });

    it("knows the members of a team; an unknown team is undefined", async () => {
      const { environment, scm } = context();
      const { slug, logins } = environment.team;
      expect((await scm.teamMembers(slug))?.toSorted()).toEqual(logins.toSorted());
      expect(await scm.teamMembers("no-such-team")).toBeUndefined();
    });

    it("refuses a number that does not exist, and is unavailable while there is no answer", async () => {
      const { environment, scm, pull } = context();
      await expect(scm.updatePullRequest(99, { title: "x", body: "" })).rejects.toThrow(ScmRefused);
      await expect(scm.closePullRequest(99)).rejects.toThrow(ScmRefused);
      await expect(scm.addLabels(99, ["x"])).rejects.toThrow(ScmRefused);
      environment.setUnavailable(true);
      await expect(scm.teamMembers(environment.team.slug)).rejects.toThrow(ScmUnavailable);
      await expect(scm.updatePullRequest(pull.number, { title: "x", body: "" })).rejects.toThrow(ScmUnavailable);
      environment.setUnavailable(false);
    });
  });
}
