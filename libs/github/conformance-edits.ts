import { describe, expect, it } from "vitest";

import { usePull } from "./conformance-pull.ts";
import type { ForgeRules, ForgeWorld } from "./conformance-world.ts";
import { ForgeRefused, ForgeUnavailable } from "./errors.ts";
import type { PullRequest } from "./port.ts";

const branch = "meshroll/half/five";

/** How every `Forge` changes a pull request that stands, and what it tells of one that was closed. */
export function describeEdits(name: string, make: (rules: ForgeRules) => Promise<ForgeWorld>): void {
  describe(`${name}: edits`, () => {
    const scene = usePull(make, { branch, title: "5 %", body: "Who moves" });

    async function find(): Promise<PullRequest | undefined> {
      return (await scene().forge.findPullRequests(branch))[0];
    }

    it("rewrites title and body, however often it is asked, and touches nothing else", async () => {
      const { forge, pull } = scene();
      expect(await forge.updatePullRequest(pull.number, { title: "25 %", body: "Who else" })).toBe(true);
      expect(await forge.updatePullRequest(pull.number, { title: "25 %", body: "Who else" })).toBe(false);
      expect(await find()).toEqual({ ...pull, title: "25 %" });
    });

    it("adds labels beside those that somebody put there", async () => {
      const { world, forge, pull } = scene();
      expect(pull.labels).toEqual([]);
      await world.as("ada").addLabels(pull.number, ["theirs"]);
      await forge.addLabels(pull.number, ["meshroll", "mesh"]);
      await forge.addLabels(pull.number, ["meshroll"]);
      expect((await find())?.labels.toSorted()).toEqual(["mesh", "meshroll", "theirs"]);
      expect((await forge.listOpenPullRequests("main"))[0]?.labels.toSorted()).toEqual(["mesh", "meshroll", "theirs"]);
    });

    it("closes one unmerged and leaves its branch; one that is over stays as it is", async () => {
      const { world, forge, pull } = scene();
      await forge.closePullRequest(pull.number);
      const closed = await find();
      expect(closed).toMatchObject({ state: "closed", closedBy: "bot", headSha: world.remote.head(branch) });
      expect(closed).not.toHaveProperty("mergedBy");
      await world.as("ada").closePullRequest(pull.number);
      expect(await find()).toEqual(closed);
    });

    it("tells who closed it, and when", async () => {
      const { world, pull } = scene();
      await world.closePullRequest(pull.number);
      const closed = await find();
      expect(closed).toMatchObject({ state: "closed", closedBy: "ada", author: "bot" });
      expect(closed?.closedAt).toBeGreaterThanOrEqual(pull.createdAt);
      expect(pull.createdAt).toBeGreaterThan(Date.UTC(2020, 0));
      expect(pull).not.toHaveProperty("closedAt");
    });

    it("knows the members of a team, and says of any other that it does not", async () => {
      const { world, forge } = scene();
      const { slug, logins } = world.team;
      expect((await forge.teamMembers(slug))?.toSorted()).toEqual(logins.toSorted());
      expect(await forge.teamMembers("nobody-has-it")).toBeUndefined();
    });

    it("refuses a number that nobody has, and is unavailable while nobody answers", async () => {
      const { world, forge, pull } = scene();
      await expect(forge.updatePullRequest(99, { title: "x", body: "" })).rejects.toThrow(ForgeRefused);
      await expect(forge.closePullRequest(99)).rejects.toThrow(ForgeRefused);
      await expect(forge.addLabels(99, ["x"])).rejects.toThrow(ForgeRefused);
      world.setUnavailable(true);
      await expect(forge.teamMembers(world.team.slug)).rejects.toThrow(ForgeUnavailable);
      await expect(forge.updatePullRequest(pull.number, { title: "x", body: "" })).rejects.toThrow(ForgeUnavailable);
      world.setUnavailable(false);
    });
  });
}
