import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openBareRemote } from "#conformance/git";
import { describeLedger } from "#conformance/ledger";
import { openRepository } from "#libs/git";
import { afterAll } from "vitest";

const root = mkdtempSync(join(tmpdir(), "meshroll-ledger-"));
let count = 0;
function freshFolder(): string {
  count += 1;
  return join(root, String(count));
}
afterAll(() => rmSync(root, { recursive: true, force: true }));

describeLedger("git over file://", async () => {
  const path = freshFolder();
  openBareRemote(path).commitToMain({ files: { "rollouts.yml": "one\n" } });
  return {
    async open() {
      const repository = await openRepository({ url: `file://${path}`, folder: freshFolder() });
      await repository.fetch();
      return repository;
    },
    async messages() {
      const log = execFileSync("git", ["--git-dir", path, "log", "--reverse", "-z", "--format=%B", "meshroll/ledger"]);
      return log.toString().split("\0").slice(0, -1);
    },
  };
});
