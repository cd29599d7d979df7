import { GitRefused, openRepository } from "#libs/git";
import { afterEach, describe, expect, it } from "vitest";

import type { GithubOptions } from "./options.ts";
import { oneFile, startTestEnvironment, type TestEnvironment } from "../test-world.ts";

const here = "/repos/acme/mesh";
const author = { name: "another", email: "a@example.org" };
let environment: TestEnvironment;
afterEach(async () => environment.close());

async function openPull(branch: string): Promise<number> {
  return (
    await environment.ask("bot", "POST", `${here}/pulls`, { head: branch, base: "main", title: `Change ${branch}` })
  ).body.number;
}

describe("a merge", () => {
  const cases: readonly {
    method: string;
    wantParents: number;
    wantMessage: string;
    wantAuthor: string;
    wantCommits: number;
  }[] = [
    {
      method: "merge",
      wantParents: 2,
      wantMessage: "Merge pull request #1 from acme/b",
      wantAuthor: "ada",
      wantCommits: 1,
    },
    { method: "squash", wantParents: 1, wantMessage: "Change b (#1)", wantAuthor: "bot", wantCommits: 1 },
    { method: "rebase", wantParents: 1, wantMessage: "Second", wantAuthor: "another", wantCommits: 2 },
  ];
  for (const { method, wantParents, wantMessage, wantAuthor, wantCommits } of cases) {
    it(`by ${method} puts both commits of the branch on top of main's newer ones`, async () => {
      environment = await startTestEnvironment();
      environment.remote.commitTo("b", { files: { x: "1\n" }, message: "First" });
      environment.remote.commitTo("b", { files: { x: "1\n2\n" }, message: "Second" });
      const main = environment.remote.commitToMain({ files: { y: "y\n" } });
      const number = await openPull("b");
      const merged = await environment.ask("ada", "PUT", `${here}/pulls/${number}/merge`, { merge_method: method });
      expect([merged.status, merged.body.sha]).toEqual([200, environment.remote.head("main")]);
      const repository = await openRepository({
        url: environment.github.gitUrl,
        folder: environment.freshFolder(),
        credentials: { token: "token-of-bot" },
      });
      const heads = await repository.fetch();
      const commits = await repository.firstParents(main, heads.main);
      expect(commits).toHaveLength(wantCommits);
      expect(commits.at(-1)?.parents).toHaveLength(wantParents);
      expect(commits.at(-1)?.author).toBe(wantAuthor);
      expect(commits.at(-1)?.message.split("\n")[0]).toBe(wantMessage);
      expect(await repository.read(heads.main, "x")).toBe("1\n2\n");
      expect(await repository.read(heads.main, "y")).toBe("y\n");
    });
  }

  it("by a method that is not allowed, with a conflict, or of a draft is refused", async () => {
    environment = await startTestEnvironment({ ...oneFile, mergeMethods: ["squash"], mergeability: "now" });
    environment.remote.commitTo("b", { files: { "rollouts.yml": "b\n" } });
    const number = await openPull("b");
    expect((await environment.ask("ada", "PUT", `${here}/pulls/${number}/merge`)).status).toBe(405);
    environment.remote.commitToMain({ files: { "rollouts.yml": "main\n" } });
    expect((await environment.ask("ada", "GET", `${here}/pulls/${number}`)).body).toMatchObject({
      mergeable: false,
      mergeable_state: "dirty",
    });
    expect(
      (await environment.ask("ada", "PUT", `${here}/pulls/${number}/merge`, { merge_method: "squash" })).status,
    ).toBe(405);
    environment.remote.commitTo("d", { files: { d: "d\n" } });
    const draft = await environment.ask("bot", "POST", `${here}/pulls`, {
      head: "d",
      base: "main",
      title: "D",
      draft: true,
    });
    expect(
      (await environment.ask("ada", "PUT", `${here}/pulls/${draft.body.number}/merge`, { merge_method: "squash" }))
        .status,
    ).toBe(405);
  });

  it("by a push to main closes the pull request as merged", async () => {
    environment = await startTestEnvironment();
    const head = environment.remote.commitTo("b", { files: { x: "1\n" } });
    const number = await openPull("b");
    environment.remote.force("main", head);
    const pull = await environment.ask("ada", "GET", `${here}/pulls/${number}`);
    expect(pull.body).toMatchObject({ state: "closed", merged: true, merge_commit_sha: head });
  });
});

describe("protection", () => {
  const strict: Partial<GithubOptions> = {
    ...oneFile,
    protection: { requiredChecks: [], requiredReviews: 1, dismissStale: true },
  };

  it("lets only an admin move main without a pull request, and does not bind other branches", async () => {
    environment = await startTestEnvironment(strict);
    const main = environment.remote.head("main") ?? "";
    const open = async (login: string) =>
      openRepository({
        url: environment.github.gitUrl,
        folder: environment.freshFolder(),
        credentials: { token: `token-of-${login}` },
      });
    const bot = await open("bot");
    await bot.fetch();
    const push = { branch: "main", onto: main, files: { x: "1" }, message: "m", author };
    await expect(bot.commitAndPush(push)).rejects.toThrow(GitRefused);
    expect(environment.remote.head("main")).toBe(main);
    expect(
      await bot.commitAndPush({ branch: "meshroll/ledger", files: { baseline: main }, message: "m", author }),
    ).toMatchObject({ kind: "pushed" });
    const stage = { branch: "meshroll/c/5", startAt: main, files: { x: "1" }, message: "m", author };
    expect(await bot.commitAndPush(stage)).toMatchObject({ kind: "pushed" });
    const root = await open("root");
    await root.fetch();
    expect(await root.commitAndPush(push)).toMatchObject({ kind: "pushed" });
  });

  it("lets an account without write access read, and refuses its pushes with 403 before git lists any ref", async () => {
    const users = ["bot", "ada"].map((login) => ({ login, token: `token-of-${login}`, mayWrite: login === "bot" }));
    environment = await startTestEnvironment({ ...oneFile, users });
    const [url, credentials] = [environment.github.gitUrl, { token: "token-of-ada" }];
    const ada = await openRepository({ url, folder: environment.freshFolder(), credentials });
    const { main } = await ada.fetch();
    const push = { branch: "mine", startAt: main, files: { x: "1" }, message: "m", author };
    const refused = { message: expect.stringContaining("error: 403"), fix: expect.stringContaining("read and write") };

    await expect(ada.commitAndPush(push)).rejects.toMatchObject(refused);

    const headers = { authorization: `Basic ${Buffer.from("x-access-token:token-of-ada").toString("base64")}` };
    const asked = [
      ["GET", "info/refs?service=git-receive-pack"],
      ["POST", "git-receive-pack"],
    ] as const;
    const answers = await Promise.all(
      asked.map(async ([method, path]) => {
        const answer = await fetch(`${url}/${path}`, { method, headers });
        return `${answer.status} ${await answer.text()}`;
      }),
    );
    const said = "403 Permission to acme/mesh.git denied to ada.\n";
    expect([answers, environment.remote.head("mine")]).toEqual([[said, said], undefined]);
  });

  it("counts each person's newest review, and only of this head when stale ones are dismissed", async () => {
    environment = await startTestEnvironment({ ...strict, mergeability: "now" });
    environment.remote.commitTo("b", { files: { x: "1\n" } });
    const number = await openPull("b");
    const pull = `${here}/pulls/${number}`;
    const review = (login: string, event: string) =>
      environment.ask(login, "POST", `${pull}/reviews`, { event, body: "because" });
    const state = async () => (await environment.ask("ada", "GET", pull)).body.mergeable_state;
    expect(await state()).toBe("blocked");
    await review("bot", "COMMENT");
    expect(await state()).toBe("blocked");
    await review("ada", "APPROVE");
    expect(await state()).toBe("clean");
    await review("bob", "REQUEST_CHANGES");
    expect(await state()).toBe("blocked");
    await review("bob", "APPROVE");
    expect(await state()).toBe("clean");
    environment.remote.commitTo("b", { files: { x: "2\n" } });
    expect(await state()).toBe("blocked");
    expect((await environment.ask("ada", "PUT", `${pull}/merge`)).body.message).toContain(
      "approving review is required",
    );
  });
});
