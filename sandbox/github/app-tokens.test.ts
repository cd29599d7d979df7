import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { GitRefused, openRepository } from "#libs/git";
import { ScmRefused, type ScmReason } from "#libs/scm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { createInstallationTokens } from "../../libs/scm/github/app/installation-tokens.ts";
import { rights } from "../../libs/scm/github/app/rights.ts";
import type { GithubApp } from "./index.ts";
import { writeKey, makeApp, makeAppKeys } from "./test-app.ts";
import { oneFile, startTestEnvironment, type TestEnvironment } from "./test-world.ts";

const [keys, others] = [makeAppKeys(), makeAppKeys()];

describe("tokens of an App's installation", () => {
  let environment: TestEnvironment;
  let app: GithubApp;
  let folder: string;
  let elapsed: number;
  let isMoved: boolean;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "meshroll app ü-"));
    app = makeApp(keys);
    elapsed = 0;
    isMoved = false;
    environment = await startTestEnvironment({ ...oneFile, app, isMoved: () => isMoved });
  });
  afterEach(async () => {
    await environment.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The tokens of one process; `elapsed` is the machine's monotonic clock, by which a token's age is measured. */
  function openTokens(role: keyof typeof rights = "planner", file = writeKey(folder, keys)) {
    const place = { baseUrl: environment.github.url, owner: "acme", repo: "mesh" };
    const monotonic = (): number => elapsed;
    return createInstallationTokens({ ...place, app: { id: "7100", key: { file } }, rights: rights[role], monotonic });
  }

  function pass(minutes: number): void {
    elapsed += minutes * 60_000;
  }

  async function explainFailure(work: () => Promise<unknown>): Promise<ScmReason | "none" | undefined> {
    const error = await work().then(
      () => undefined,
      (caught: unknown) => caught,
    );
    return error instanceof ScmRefused ? (error.reason ?? "none") : undefined;
  }

  it("are made once for many calls at once, and have only the rights of their process", async () => {
    const tokens = openTokens("executor");
    const given = await Promise.all([tokens.give(), tokens.give(), tokens.give()]);
    expect(new Set(given).size).toBe(1);
    expect(environment.github.tokens.map(({ permissions }) => permissions)).toEqual([
      { metadata: "read", contents: "read" },
    ]);
  });

  it("are renewed before they expire, and an old one is used while GitHub makes none", async () => {
    const tokens = openTokens();
    const first = await tokens.give();
    elapsed += 44 * 60_000;
    expect(await tokens.give()).toBe(first);
    const fix = environment.github.addFault({ on: {}, effect: { kind: "status", status: 502 }, times: Infinity });
    elapsed += 10 * 60_000;
    expect(await tokens.give()).toBe(first);
    fix();
    elapsed += 60_000;
    expect(await tokens.give()).not.toBe(first);
    expect(environment.github.tokens).toHaveLength(2);
  });

  it("are replaced for API and git when GitHub revokes one early", async () => {
    const tokens = openTokens();
    const scm = environment.as("bot", { token: tokens });
    const repository = await openRepository({
      url: environment.github.gitUrl,
      folder: environment.freshFolder(),
      credentials: { token: tokens },
    });
    const { main } = await repository.fetch();
    expect(await scm.listOpenPullRequests("main")).toEqual([]);
    expect(await scm.ownLogin()).toBe("meshroll[bot]");
    elapsed += 10_000;
    environment.github.revokeTokens();
    expect(await scm.listOpenPullRequests("main")).toEqual([]);
    elapsed += 10_000;
    environment.github.revokeTokens();
    expect(await repository.fetch()).toEqual({ main });
    const author = { name: "meshroll", email: "m@example.com" };
    elapsed += 10_000;
    environment.github.revokeTokens();
    const draft = { branch: "meshroll/x", startAt: main, files: { "rollouts.yml": "two\n" }, message: "Two", author };
    expect(await repository.commitAndPush(draft)).toMatchObject({ kind: "pushed" });
    expect(environment.github.tokens).toHaveLength(4);
  });

  it("are made with a key that was replaced in its file, without a restart", async () => {
    const tokens = openTokens();
    await tokens.give();
    app.keys = [others.publicKey];
    pass(50);
    // The token that was made with the old key is valid until it expires.
    await tokens.give();
    pass(20);
    expect(await explainFailure(async () => tokens.give())).toBe("AppKeyWrong");
    writeKey(folder, others);
    pass(1);
    await tokens.give();
    expect(environment.github.tokens).toHaveLength(2);
  });

  const refusals: readonly { readonly name: string; readonly turn: () => void; readonly want: ScmReason }[] = [
    { name: "the installation is suspended", turn: () => (app.suspended = true), want: "AppSuspended" },
    { name: "the key is another App's", turn: () => (app.keys = [others.publicKey]), want: "AppKeyWrong" },
    { name: "the App has no key", turn: () => (app.keys = []), want: "AppKeyWrong" },
    { name: "GitHub's clock is ten minutes ahead", turn: () => shift(600), want: "AppClockOff" },
    { name: "GitHub's clock is ten minutes behind", turn: () => shift(-600), want: "AppClockOff" },
    { name: "the repository is not selected", turn: () => (app.unselected = true), want: "AppNotInstalled" },
    { name: "the repository was renamed", turn: () => (isMoved = true), want: "RepositoryMoved" },
    {
      name: "the file has no key",
      turn: () => writeFileSync(join(folder, "app.pem"), "token"),
      want: "AppKeyUnread",
    },
    { name: "the file is missing", turn: () => rmSync(join(folder, "app.pem")), want: "AppKeyUnread" },
  ];
  function shift(seconds: number): void {
    app.clock = () => Date.now() + seconds * 1000;
  }
  it.each(refusals)("are refused with a reason: $name", async ({ turn, want }) => {
    const tokens = openTokens();
    turn();
    expect(await explainFailure(async () => tokens.give())).toBe(want);
    const repository = await openRepository({
      url: environment.github.gitUrl,
      folder: environment.freshFolder(),
      credentials: { token: tokens },
    });
    const error: unknown = await repository.fetch().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(GitRefused);
    expect(error).toMatchObject({ refusal: "login" });
  });

  it("are refused with the clocks' difference", async () => {
    shift(600);
    await expect(openTokens().give()).rejects.toThrow(/this machine's clock is (?:599|600|601) s behind GitHub's/u);
  });

  it("have the rights that were granted; a call beyond them names the one that it needs", async () => {
    app.permissions = { metadata: "read", contents: "read", pull_requests: "write" };
    const scm = environment.as("bot", { token: openTokens() });
    expect(await scm.listOpenPullRequests("main")).toEqual([]);
    const check = { name: "meshroll/plan", state: "success", title: "t", summary: "s" } as const;
    const headSha = environment.remote.head("main") ?? "";
    await expect(scm.postCheck({ ...check, headSha })).rejects.toThrow(/statuses=read/u);
  });

  it("are requested again only after a pause when GitHub refused", async () => {
    app.suspended = true;
    const tokens = openTokens();
    for (let times = 0; times < 5; times += 1) await tokens.give().catch(() => undefined);
    const asked = environment.github.requests.filter(({ route }) => route?.includes("access_tokens") === true);
    expect(asked).toHaveLength(1);
    app.suspended = false;
    elapsed += 6_000;
    await tokens.give();
  });
});
