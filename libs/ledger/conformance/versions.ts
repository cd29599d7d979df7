import { describe, expect, test } from "vitest";

import type { LedgerFixture } from "./fixture.ts";
import { index, list, makeState, newest, oldest, stops } from "./records.ts";
import { openLedger } from "../branch/git-branch.ts";
import type { LedgerBranch } from "../port.ts";

const [stop] = stops;
/** One file of each kind, by path. */
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

/** Pushes this file with another version, as another build would. */
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

/** How every ledger branch handles files of another version; run against the fake and against git. */
export function describeVersions(name: string, make: () => Promise<LedgerFixture>): void {
  describe(`versions of the ledger on ${name}`, () => {
    test.each(files)("another version is refused, with the build to install: %s", async (path) => {
      const fixture = await make();
      const { branch, head } = await begin(fixture);
      const other = await changeVersion(branch, head, path, 2);

      await expect(openLedger(await fixture.open()).load(other)).rejects.toThrow(
        `${path} in branch meshroll/ledger is of another build: it is of version 2 and this build of meshroll ` +
          "reads version 1: install the build that wrote it",
      );
    });

    test("a branch of another version is reported by its file heads", async () => {
      const fixture = await make();
      const { branch, head } = await begin(fixture);
      const stopped = await changeVersion(branch, head, `stops/${stop?.id ?? ""}.json`, 2);
      const other = await changeVersion(branch, stopped, "heads", 3);

      await expect(openLedger(await fixture.open()).load(other)).rejects.toThrow(
        "heads in branch meshroll/ledger is of another build: it is of version 3",
      );
    });

    test.each([undefined, "1", 0, 1.5])("an invalid version is refused: %s", async (version) => {
      const fixture = await make();
      const { branch, head } = await begin(fixture);
      const other = await changeVersion(branch, head, `runs/${newest.id}.json`, version);

      await expect(openLedger(await fixture.open()).load(other)).rejects.toThrow("it names no version");
    });
  });
}
