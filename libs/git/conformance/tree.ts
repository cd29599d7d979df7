import { describe, expect, it } from "vitest";

import type { RepositorySetup } from "./environment.ts";
import { GitRefused } from "../errors.ts";

const author = { name: "meshroll planner", email: "planner@example.org" };

/** How the fake and git read a whole tree. */
export function describeTreeReading(name: string, make: () => Promise<RepositorySetup>): void {
  describe(`${name}, a whole tree`, () => {
    it("reads all files below some paths at once, with any bytes, except known ones", async () => {
      const environment = await make();
      environment.remote.commitToMain({ files: { "rollouts.yml": "one\n" } });
      const repository = await environment.open();
      await repository.fetch();
      const files = {
        heads: "1",
        "runs/a.json": "line\nline \u0000 ä \ud83d\ude80\n",
        "runs/2026-11/b.json": "",
        "runs/2026-11/c.json": "line\nline \u0000 ä \ud83d\ude80\n",
        "runsagain/d.json": "not asked for",
      };
      const made = await repository.commitAndPush({
        branch: "meshroll/ledger",
        files,
        message: "A transition",
        author,
      });
      const head = made.kind === "pushed" ? made.sha : "";
      const read = await repository.readTree(head, ["heads", "runs", "stops"]);
      expect(read.map(({ path, text }) => [path, text])).toEqual([
        ["heads", "1"],
        ["runs/2026-11/b.json", ""],
        ["runs/2026-11/c.json", files["runs/a.json"]],
        ["runs/a.json", files["runs/a.json"]],
      ]);
      const [heads, empty, same, copy] = read.map(({ id }) => id);
      expect([same === copy, heads === empty]).toEqual([true, false]);
      const again = await repository.readTree(head, ["heads", "runs"], ({ id }) => id === same);
      expect(again.map(({ text }) => text)).toEqual(["1", "", undefined, undefined]);
      expect(await repository.readTree(head, ["nothing"])).toEqual([]);
      await expect(repository.readTree(head, ["../x"])).rejects.toThrow(GitRefused);
      await environment.close();
    });

    it("reads what each commit of main changed in some files", async () => {
      const environment = await make();
      const { remote } = environment;
      const from = remote.commitToMain({ files: { "rollouts.yml": "one\n", "campaigns/a.yml": "a\n" } });
      const second = remote.commitToMain({ files: { "rollouts.yml": "two\n", "README.md": "hello\n" } });
      remote.commitToMain({ files: { "README.md": "again\n" } });
      const below = remote.commitToMain({ files: { "campaigns/a.yml": "b\n" } });
      const link = remote.commitToMain({ files: { "rollouts.yml": { symlink: "other" }, "meshroll.yml": "x\n" } });
      remote.commitTo("side", { files: { "rollouts.yml": "side\n" } });
      const merged = remote.mergeToMain({ branch: "side" });
      const to = remote.commitToMain({ files: { "meshroll.yml": null } });
      const repository = await environment.open();
      await repository.fetch();
      const seen: unknown[] = [];
      await repository.readChanges(
        from,
        to,
        ["rollouts.yml", "meshroll.yml", "campaigns"],
        ({ sha, files, below: folders }) => {
          seen.push([sha, Object.fromEntries(files), ...folders]);
        },
      );
      expect(seen).toEqual([
        [second, { "rollouts.yml": "two\n" }],
        [below, {}, "campaigns"],
        [link, { "rollouts.yml": undefined, "meshroll.yml": "x\n" }],
        [merged.kind === "merged" ? merged.sha : "", { "rollouts.yml": "side\n" }],
        [to, { "meshroll.yml": undefined }],
      ]);
      const ever: string[] = [];
      await repository.readChanges(undefined, to, ["campaigns/a.yml"], ({ sha }) => ever.push(sha));
      expect(ever).toEqual([from, below]);
      await environment.close();
    });
  });
}
