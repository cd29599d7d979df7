import { describe, expect, test } from "vitest";

import type { LedgerFixture } from "./fixture.ts";
import { index, list, makeState, newest, oldest, stops } from "./records.ts";
import { openLedger } from "../branch/git-branch.ts";
import type { LedgerBranch } from "../port.ts";

const [stop] = stops;
/** A file of each kind, by its path. */
const files = [
  "heads",
  "baseline",
  `runs/${newest.id}.json`,
  `stops/${stop?.id ?? ""}.json`,
  "requests/v1.json",
  `plans/${list.head}.tsv`,
] as const;

async function begin(fixture: LedgerFixture) {
  const branch = await fixture.open();
  const requests = { v1: { at: oldest.startedAt, answer: "done" } };
  const state = makeState({ runs: index([newest]), stops: index(stops), requests, plans: { [list.head]: list } });
  const first = await openLedger(branch).record(
    { sentence: "baseline", actor: "ana", cause: "Test", next: state },
    undefined,
  );
  if (first.kind !== "recorded") throw new Error(first.why);
  return { branch, head: first.state.head };
}

/** What another build pushes on top: this file, with another version. */
async function changeVersion(branch: LedgerBranch, head: string, path: string, version: unknown): Promise<string> {
  const [file] = await branch.readTree(head, [path]);
  const named = /"version": ?1,/u;
  const text = file?.text ?? "";
  if (!named.test(text)) throw new Error(`${path} names no version: ${text}`);
  const changed = text.replace(named, version === undefined ? "" : `"version": ${JSON.stringify(version)},`);
  const author = { name: "another planner", email: "other@localhost" };
  const draft = { branch: "meshroll/ledger", onto: head, message: "edited", author, files: { [path]: changed } };
  const pushed = await branch.commitAndPush(draft);
  if (pushed.kind === "rejected") throw new Error(pushed.why);
  return pushed.sha;
}

/** What every ledger branch does with what a build of another version wrote. */
export function describeVersions(name: string, make: () => Promise<LedgerFixture>): void {
  describe(`versions of the ledger on ${name}`, () => {
    test.each(files)("another version is refused by name, with what to install: %s", async (path) => {
      const fixture = await make();
      const { branch, head } = await begin(fixture);
      const other = await changeVersion(branch, head, path, 2);

      await expect(openLedger(await fixture.open()).load(other)).rejects.toThrow(
        `${path} in branch meshroll/ledger is of another build: it is of version 2 and this build of meshroll ` +
          "reads version 1: install the build that wrote it",
      );
    });

    test("of a branch of another version, whatever its records are, heads is what is named", async () => {
      const fixture = await make();
      const { branch, head } = await begin(fixture);
      const stopped = await changeVersion(branch, head, `stops/${stop?.id ?? ""}.json`, 2);
      const other = await changeVersion(branch, stopped, "heads", 3);

      await expect(openLedger(await fixture.open()).load(other)).rejects.toThrow(
        "heads in branch meshroll/ledger is of another build: it is of version 3",
      );
    });

    test.each([undefined, "1", 0, 1.5])("a version that is none is not read: %s", async (version) => {
      const fixture = await make();
      const { branch, head } = await begin(fixture);
      const other = await changeVersion(branch, head, `runs/${newest.id}.json`, version);

      await expect(openLedger(await fixture.open()).load(other)).rejects.toThrow("it names no version");
    });
  });
}
