import { describe, expect, it } from "vitest";

import { usePull } from "./pull.ts";
import type { ScmSetup } from "./environment.ts";
import { ScmRefused } from "../port/errors.ts";
import type { Check } from "../port/port.ts";

const branch = "ana/half";
const marker = "<!-- meshroll:status -->";

/** How every `Scm` posts checks and comments. */
export function describeRecords(name: string, { make, unsupported }: ScmSetup): void {
  describe(`${name}: checks and comments`, () => {
    const context = usePull(make, { branch, title: "Half", body: "" }, "ada");

    function check(change: Partial<Check>): Check {
      const { headSha } = context().pull;
      return { name: "meshroll/plan", headSha, state: "success", title: "12 move", summary: "| a |\n|---|", ...change };
    }

    /** The part of a check that a commit status, which is one line, can show. */
    function shown(posted: Check): Check {
      return unsupported.has("checkRuns") ? { ...posted, summary: "" } : posted;
    }

    it("returns the newest check of each name", async () => {
      const { scm, pull } = context();
      expect(await scm.findChecks(pull.headSha)).toEqual([]);
      const approvals = check({ name: "meshroll/approvals", state: "pending", title: "0 of 1", summary: "none yet" });
      await scm.postCheck(check({ state: "failure", title: "does not parse" }));
      await scm.postCheck(approvals);
      await scm.postCheck(check({}));
      await scm.postCheck(check({}));
      const found = await scm.findChecks(pull.headSha);
      expect(found).toHaveLength(2);
      expect(found).toMatchObject([shown(check({})), shown(approvals)]);
      expect(found.every(({ own }) => own)).toBe(true);
    });

    it("does not take another account's check with our name and mark for ours", async () => {
      const { environment, scm, pull } = context();
      const read = async () => (await scm.findChecks(pull.headSha)).map(({ state, own }) => [state, own]);
      await environment.as("ada").postCheck(check({ title: "forged" }));
      const before = await read();
      await scm.postCheck(check({ state: "failure" }));
      expect([before, await read()]).toEqual([[["success", false]], [["failure", true]]]);
    });

    it("keeps a check's link when the check changes", async () => {
      const { scm, pull } = context();
      const detailsUrl = "https://meshroll.example.com/";
      const read = async () => (await scm.findChecks(pull.headSha)).map((each) => [each.state, each.detailsUrl]);
      await scm.postCheck(check({ state: "pending", detailsUrl }));
      const first = await read();
      await scm.postCheck(check({ detailsUrl }));
      const approvals = check({ name: "meshroll/approvals" });
      await scm.postCheck(approvals);
      expect([first, await read()]).toEqual([
        [["pending", detailsUrl]],
        [
          ["success", detailsUrl],
          ["success", undefined],
        ],
      ]);
    });

    it("keeps checks with their commit: a new head has none", async () => {
      const { environment, scm, pull } = context();
      await scm.postCheck(check({}));
      const later = await environment.remote.commitTo(branch, { files: { "rollouts.yml": "three\n" } });
      expect(await scm.findChecks(later)).toEqual([]);
      expect(await scm.findChecks(pull.headSha)).toMatchObject([shown(check({}))]);
    });

    it("writes one comment and edits it in place, without touching what others wrote", async () => {
      const { environment, scm, pull } = context();
      await environment.as("ada").putComment(pull.number, "hello", "hello, what is this?");
      await environment.as("ada").putComment(pull.number, "> quote", `> quote ${marker}`);
      await scm.putComment(pull.number, marker, "It waits");
      await scm.putComment(pull.number, marker, `${marker}\nIt moves`);
      const found = await scm.comments(pull.number);
      expect(found.map(({ author, body }) => [author, body])).toEqual([
        ["ada", "hello, what is this?"],
        ["ada", `> quote ${marker}`],
        ["bot", `${marker}\nIt moves`],
      ]);
      expect(new Set(found.map(({ id }) => id)).size).toBe(3);
      for (const { at } of found) expect(at).toBeGreaterThan(Date.UTC(2020, 0));
    });

    it("leaves another account's comment with our marker unchanged, and says which comments are ours", async () => {
      const { environment, scm, pull } = context();
      await environment.as("ada").putComment(pull.number, marker, `${marker}\nforged`);
      await scm.putComment(pull.number, marker, "It waits");
      await scm.putComment(pull.number, marker, "It moves");
      const found = await scm.comments(pull.number);
      expect(found.map(({ author, body, ours }) => [author, body, ours])).toEqual([
        ["ada", `${marker}\nforged`, undefined],
        ["bot", `${marker}\nIt moves`, true],
      ]);
      expect((await scm.recentComments(0)).map(({ author, ours }) => [author, ours])).toEqual([
        ["ada", undefined],
        ["bot", true],
      ]);
    });

    it("refuses a comment on a pull request that does not exist", async () => {
      const { scm } = context();
      await expect(scm.comments(99)).rejects.toThrow(ScmRefused);
      await expect(scm.putComment(99, marker, "x")).rejects.toThrow(ScmRefused);
    });
  });
}
