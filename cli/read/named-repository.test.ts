import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { chooseUrl } from "./repository.ts";

let cwd = "";

beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), "meshroll-here-"))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const cases = [
  { named: "https://git.example.com/acme/rollouts.git", isAddress: true },
  { named: "git@git.example.com:acme/rollouts.git", isAddress: true },
  { named: "here/rollouts.git", isAddress: false },
];

test.each(cases)("$named: a folder of that name is not used instead of the address", async ({ named, isAddress }) => {
  mkdirSync(join(cwd, named), { recursive: true });
  const env = { MESHROLL_REPO_URL: named };
  const url = await chooseUrl({}, { env, cwd } as unknown as Parameters<typeof chooseUrl>[1]);
  expect(url).toBe(isAddress ? named : join(cwd, named));
});
