import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openRepository } from "#libs/git";
import type { Token } from "#libs/runtime";
import { openAppLogin } from "#libs/scm";
import { afterEach, beforeEach, expect, it } from "vitest";

import { makeApp, makeAppKeys, writeKey } from "../../sandbox/github/test-app.ts";
import { startTestEnvironment, type TestEnvironment } from "../../sandbox/github/test-world.ts";
import { type BranchWish, ensureBranch, isMadeByUs } from "../../services/planner/pull-requests/ensure-branch.ts";
import { isRefusedAsUnsigned, type Refusals, tryMerge } from "../../services/planner/pull-requests/try-merge.ts";
import { createInProcessJudge } from "../flow/parts/in-process-judge.ts";
import type { ScmLink } from "../../services/planner/pull-requests/scm-link.ts";

// Main takes signed commits alone, and git has no key: an App's commits are made by GitHub, which signs them.

const keys = makeAppKeys();
const branch = "meshroll/shop/half";
let environment: TestEnvironment;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "meshroll signed ü-"));
  const rules = [{ type: "required_signatures" }];
  const protection = { requiredChecks: [], requiredReviews: 0, rules };
  environment = await startTestEnvironment({ files: { "rollouts.yml": "one\n" }, app: makeApp(keys), protection });
});
afterEach(async () => {
  await environment.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openLink(token: Token): Promise<ScmLink> {
  const scm = environment.as("bot", { token });
  const open = async (name: string) =>
    openRepository({ url: environment.github.gitUrl, folder: join(folder, name), credentials: { token } });
  const [repository, strangers] = [await open("own"), await open("strangers")];
  await repository.fetch();
  return { scm, repository, strangers, judge: createInProcessJudge(), base: "main", pollMs: 1 };
}

function openTokens(): Token {
  const login = openAppLogin({
    MESHROLL_GITHUB_API_URL: environment.github.url,
    MESHROLL_GITHUB_REPOSITORY: "acme/mesh",
    MESHROLL_GITHUB_APP_ID: "7100",
    MESHROLL_GITHUB_APP_KEY_FILE: writeKey(folder, keys),
  });
  if (login === undefined) throw new Error("the App is not configured");
  return login.tokens;
}

function wishFor(text: string): BranchWish {
  const main = environment.remote.head("main") ?? "";
  return { origin: "stage", branch, main, text, message: "Stage half of shop", textAt: async () => text };
}

it("a stage's branch is made, recognised, made again and merged", async () => {
  const link = await openLink(openTokens());
  expect(await ensureBranch(link, wishFor("two\n"))).toEqual({ kind: "ready" });
  const first = environment.remote.head(branch) ?? "";
  expect(await isMadeByUs(link, first, wishFor("two\n"))).toBe(true);
  expect(await ensureBranch(link, wishFor("two\n"))).toEqual({ kind: "ready" });
  expect(environment.remote.head(branch)).toBe(first);

  environment.remote.commitTo("main", { files: { "README.md": "hello\n", "rollouts.yml": "one and a half\n" } });
  await link.repository.fetch();
  expect(await ensureBranch(link, wishFor("three\n"))).toEqual({ kind: "ready" });
  const second = environment.remote.head(branch) ?? "";
  expect(await isMadeByUs(link, second, wishFor("three\n"))).toBe(true);
  expect(await link.repository.contains(second, first)).toBe(false);

  const pull = await link.scm.openPullRequest({ branch, base: "main", title: "Half", body: "" });
  expect(await link.scm.merge(pull.number, second)).toMatchObject({ kind: "merged" });
});

it("a commit of the same content by another account is not taken for meshroll's", async () => {
  const link = await openLink(openTokens());
  const theirs = environment.remote.commitTo(branch, {
    files: { "rollouts.yml": "two\n" },
    author: "meshroll[bot]",
    message: "Stage half of shop",
  });
  expect(await isMadeByUs(link, theirs, wishFor("two\n"))).toBe(false);
  const pull = await link.scm.openPullRequest({ branch, base: "main", title: "Half", body: "" });
  expect(await link.scm.merge(pull.number, theirs)).toMatchObject({
    kind: "refused",
    demands: [{ code: "CommitsUnsigned", unsigned: 1 }],
  });
});

it("a branch from before main demanded signatures is made again when the merge was refused for that", async () => {
  const link = await openLink(openTokens());
  const { signer: _, ...unsigning } = link.scm;
  await ensureBranch({ ...link, scm: unsigning }, wishFor("two\n"));
  const pull = await link.scm.openPullRequest({ branch, base: "main", title: "Half", body: "" });
  const refusals: Refusals = new Map();
  expect(await tryMerge(link, pull, refusals, 0)).toMatchObject({ kind: "refused" });
  expect(await isRefusedAsUnsigned(link, refusals, pull.headSha)).toBe(true);
  const withKey = { ...link.repository, signsCommits: async () => true };
  expect(await isRefusedAsUnsigned({ ...link, repository: withKey }, refusals, pull.headSha)).toBe(false);
  await ensureBranch(link, wishFor("two\n"), true);
  const head = environment.remote.head(branch) ?? "";
  expect(await isMadeByUs(link, head, wishFor("two\n"))).toBe(true);
  expect(await link.scm.merge(pull.number, head)).toMatchObject({ kind: "merged" });
});

it("a branch that moved meanwhile is left as it is", async () => {
  const link = await openLink(openTokens());
  await ensureBranch(link, wishFor("two\n"));
  const expected = environment.remote.head(branch) ?? "";
  const theirs = environment.remote.commitTo(branch, { files: { "a.md": "theirs\n" } });
  const main = environment.remote.head("main") ?? "";
  const draft = { branch, expected, parents: [main], files: { "rollouts.yml": "three\n" }, message: "Late" };
  expect(await link.scm.signer?.commit(draft)).toMatchObject({ kind: "rejected" });
  expect(environment.remote.head(branch)).toBe(theirs);
});

it("a personal token has no signer: its commits are git's", async () => {
  const link = await openLink("token-of-bot");
  expect(link.scm.signer).toBeUndefined();
  expect(await ensureBranch(link, wishFor("two\n"))).toEqual({ kind: "ready" });
});
