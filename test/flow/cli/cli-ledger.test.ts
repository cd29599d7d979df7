import { openBareRemote } from "#conformance/git";
import { expect, test } from "vitest";

import { type CliEnvironment, fillShops, openCliEnvironment, rollouts } from "./cli-environment.ts";

const ledger = "meshroll/ledger";

/** A ledger with its baseline, and one commit of eve for each change (null removes a file); returns their ids. */
async function openEdited(
  ...changes: readonly Readonly<Record<string, string | null>>[]
): Promise<readonly [CliEnvironment, readonly string[]]> {
  const environment = await openCliEnvironment({ "rollouts.yml": rollouts }, fillShops);
  await environment.meshroll(["init"]);
  const made: string[] = [];
  const remote = openBareRemote(environment.github.repoPath);
  for (const files of changes) made.push(remote.commitTo(ledger, { files, author: "eve", message: "edited by hand" }));
  return [environment, made];
}

const stop = {
  version: 1,
  id: "by-hand",
  scope: "all",
  strength: "move",
  at: "2026-01-01T00:00:00.000Z",
  who: "ana",
  why: "look first",
  cause: "verb",
};

test("ledger check prints the size of a readable ledger", async () => {
  const [environment] = await openEdited();
  const { code, stdout } = await environment.meshroll(["ledger", "check"]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /^✔ branch meshroll\/ledger can be read: commit [0-9a-f]{12}, sequence 1, 0 runs, 0 stops\n$/u,
    ),
  ]);
});

test("ledger check names the first commit that broke the ledger, file and field, and the command that repairs it", async () => {
  const [environment, [, broke = "", later = ""]] = await openEdited(
    { "stops/by-hand.json": JSON.stringify(stop) },
    { "stops/other.json": JSON.stringify({ ...stop, id: "other", scope: "everything" }) },
    { "runs/x.json": "{" },
  );
  const { code, stdout } = await environment.meshroll(["ledger", "check"]);
  expect(code).toBe(79);
  expect(stdout).toContain(`commit ${broke.slice(0, 12)} of branch meshroll/ledger`);
  expect(stdout).toContain("eve");
  expect(stdout).toContain("stops/other.json, field scope");
  expect(stdout).toContain("runs/x.json");
  expect(stdout).toContain("meshroll ledger check --repair");
  const json = JSON.parse((await environment.meshroll(["ledger", "check", "-o", "json"])).stdout) as unknown;
  expect(json).toMatchObject({
    kind: "LedgerCheck",
    head: later,
    readable: false,
    brokenBy: { commit: broke, author: "eve" },
    repair: { "runs/x.json": "remove", "stops/other.json": "remove" },
  });
});

test("ledger check --repair reverts unreadable files in a commit of its own and keeps readable ones", async () => {
  const [environment, [, , head = ""]] = await openEdited(
    { "stops/by-hand.json": JSON.stringify(stop) },
    { "stops/by-hand.json": JSON.stringify({ ...stop, scope: "everything" }) },
    { "stops/new.json": JSON.stringify({ ...stop, id: "new" }), "runs/x.json": "{" },
  );
  const { code, stdout } = await environment.meshroll(["ledger", "check", "--repair", "-y"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("stops/by-hand.json")]);
  expect(await environment.git("rev-parse", `${ledger}~1`)).toBe(`${head}\n`);
  const names = await environment.git("ls-tree", "-r", "--name-only", ledger);
  expect(names.trim().split("\n").toSorted()).toEqual(["baseline", "heads", "stops/by-hand.json", "stops/new.json"]);
  expect(JSON.parse(await environment.git("show", `${ledger}:stops/by-hand.json`))).toEqual(stop);
  expect(JSON.parse(await environment.git("show", `${ledger}:heads`))).toMatchObject({ sequence: 2 });
  expect((await environment.meshroll(["ledger", "check"])).stdout).toContain("✔ branch meshroll/ledger can be read");
});

test("ledger check --repair asks first, and touches nothing without a terminal", async () => {
  const [environment, [head = ""]] = await openEdited({ "runs/x.json": "{" });
  const { code } = await environment.meshroll(["ledger", "check", "--repair"]);
  expect([code, await environment.git("rev-parse", ledger)]).toEqual([64, `${head}\n`]);
});

test("ledger check --repair does not revert a record of another version, whose build has to be installed", async () => {
  const [environment, [head = ""]] = await openEdited({
    heads: JSON.stringify({ version: 2, main: "a".repeat(40), judged: "a".repeat(40), sequence: 2 }),
  });
  const { code, stderr } = await environment.meshroll(["ledger", "check", "--repair", "-y"]);
  expect([code, stderr]).toEqual([83, expect.stringContaining("written by another version")]);
  expect(await environment.git("rev-parse", ledger)).toBe(`${head}\n`);
});

test("ledger check names a ledger that was set back behind a commit that this machine has read", async () => {
  const [environment, [head = ""]] = await openEdited({ "stops/by-hand.json": JSON.stringify(stop) });
  await environment.meshroll(["ledger", "check"]);
  await environment.git("update-ref", `refs/heads/${ledger}`, `${head}~1`);
  const { code, stdout } = await environment.meshroll(["ledger", "check"]);
  expect([code, stdout]).toEqual([79, expect.stringContaining(`git fetch origin ${head}`)]);
});
