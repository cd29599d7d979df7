import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

import { ProgramsMissing } from "../../scripts/go/go-tools.ts";
import { findGitea } from "./build-gitea.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-find-gitea-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("without Go and a C compiler it says what is missing and which variable names a ready Gitea, and compiles nothing", async () => {
  const folder = makeFolder();
  const said: string[] = [];
  const env = { PATH: folder, MESHROLL_FORGE_CACHE: folder };
  const error = await findGitea({ env, log: (line) => void said.push(line) }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProgramsMissing);
  expect(String(error)).toMatch(/no (?:Go|C compiler) on this machine.*MESHROLL_FORGE_GITEA=PROGRAM/su);
  expect(said).toEqual([]);
});

test("a Gitea that the environment names is taken, with the templates next to it where there are some", async () => {
  const folder = makeFolder();
  const path = join(folder, "gitea");
  const find = async () => findGitea({ env: { MESHROLL_FORGE_GITEA: path }, log: () => undefined });
  expect(await find()).toEqual({ path });
  mkdirSync(join(folder, "statics"));
  expect(await find()).toEqual({ path, statics: join(folder, "statics") });
});
