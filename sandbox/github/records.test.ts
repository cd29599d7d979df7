import { type Check, ScmRefused, type Scm, ScmUnavailable } from "#libs/scm";
import { afterEach, describe, expect, it } from "vitest";

import type { FaultEffect } from "./state/faults.ts";
import type { GithubUser } from "./state/options.ts";
import { oneFile, startTestEnvironment, type TestEnvironment } from "./test-world.ts";

const here = "/repos/acme/mesh";
const marker = "<!-- meshroll:status -->";
const required = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };
const users: readonly GithubUser[] = ["bot", "ada"].map((login) => {
  return { login, token: `token-of-${login}`, ...(login === "bot" ? { mayWriteChecks: false } : {}) };
});

let environment: TestEnvironment;
afterEach(async () => environment.close());

async function propose(): Promise<string> {
  const head = environment.remote.commitTo("b", { files: { x: "1\n" } });
  await environment.ask("ada", "POST", `${here}/pulls`, { head: "b", base: "main", title: "T" });
  return head;
}

function check(headSha: string, change: Partial<Check> = {}): Check {
  return { name: "meshroll/plan", headSha, state: "success", title: "12 move", summary: "a table", ...change };
}

function countWrites(): number {
  const isWrite = (method: string, path: string): boolean => method !== "GET" && path !== "/graphql";
  return environment.github.requests.filter(({ method, path, status }) => isWrite(method, path) && status < 300).length;
}

/** Repeats a call, as a service does at its next reconcile. */
async function insist(work: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ScmUnavailable)) throw error;
    }
  }
}

describe("a write whose answer is lost", () => {
  const effects: readonly FaultEffect[] = [
    { kind: "loseAnswer" },
    { kind: "truncate" },
    { kind: "failAfter", status: 502 },
    { kind: "status", status: 502 },
    { kind: "reset" },
  ];
  const writes: readonly {
    readonly name: string;
    readonly write: (scm: Scm, sha: string) => Promise<unknown>;
    readonly list: (sha: string) => string;
    readonly count: (body: never) => number;
  }[] = [
    {
      name: "a check",
      write: async (scm, sha) => scm.postCheck(check(sha)),
      list: (sha) => `/commits/${sha}/check-runs?filter=all`,
      count: (body: { readonly total_count: number }) => body.total_count,
    },
    {
      name: "a comment",
      write: async (scm) => scm.putComment(1, marker, "It waits"),
      list: () => "/issues/1/comments",
      count: (body: readonly unknown[]) => body.length,
    },
    {
      name: "a deployment",
      write: async (scm, sha) => scm.showDeployment({ sha, environment: "mesh", state: "queued", description: "12" }),
      list: () => "/deployments",
      count: (body: readonly unknown[]) => body.length,
    },
  ];
  for (const { name, write, list, count } of writes) {
    it(`leaves one ${name}, whatever happened to the answer`, async () => {
      environment = await startTestEnvironment(oneFile);
      const sha = await propose();
      for (const effect of effects) environment.github.addFault({ on: { method: "POST" }, effect });
      await insist(async () => write(environment.as("bot"), sha));
      await insist(async () => write(environment.as("bot"), sha));
      expect(count((await environment.ask("ada", "GET", `${here}${list(sha)}`)).body as never)).toBe(1);
    });
  }

  it("leaves one status of a deployment", async () => {
    environment = await startTestEnvironment(oneFile);
    const scm = environment.as("bot");
    const sha = environment.remote.head("main") ?? "";
    const shown = { sha, environment: "mesh", state: "queued", description: "12" } as const;
    await scm.showDeployment(shown);
    environment.github.addFault({ on: { method: "POST" }, effect: { kind: "loseAnswer" } });
    await insist(async () => scm.showDeployment({ ...shown, state: "success", description: "12 of 12" }));
    const read = async (path: string) => (await environment?.ask("ada", "GET", `${here}/deployments${path}`))?.body;
    const [{ id }, ...others] = await read("");
    expect([others, (await read(`/${id}/statuses`)).map(({ state }: { state: string }) => state)]).toEqual([
      [],
      ["success", "queued"],
    ]);
  });
});

describe("a check or comment that is there already", () => {
  it("is not written again, by this process or the next one", async () => {
    environment = await startTestEnvironment(oneFile);
    const sha = await propose();
    const write = async (scm: Scm): Promise<void> => {
      await scm.postCheck(check(sha));
      await scm.putComment(1, marker, "It waits");
    };
    await write(environment.as("bot"));
    const before = countWrites();
    await write(environment.as("bot"));
    expect(countWrites()).toBe(before);
  });

  it("by another app with our check's name is reported with its app, and ours becomes the newest", async () => {
    environment = await startTestEnvironment(oneFile);
    const sha = await propose();
    await environment.ask("ada", "POST", `${here}/check-runs`, {
      name: "meshroll/plan",
      head_sha: sha,
      conclusion: "failure",
    });
    const scm = environment.as("bot");
    const state = async () => (await scm.findChecks(sha)).map(({ by, own, form }) => [by, own, form]);
    expect(await state()).toEqual([["ada[bot]", false, "run"]]);
    await scm.postCheck(check(sha));
    expect(await scm.findChecks(sha)).toMatchObject([check(sha)]);
    expect(await state()).toEqual([["bot[bot]", true, "run"]]);
  });

  it("by another app with our marker, newer than ours, is not taken for ours", async () => {
    environment = await startTestEnvironment(oneFile);
    const sha = await propose();
    const scm = environment.as("bot");
    await scm.postCheck(check(sha, { state: "failure" }));
    const forged = { name: "meshroll/plan", head_sha: sha, conclusion: "success", external_id: "meshroll" };
    await environment.ask("ada", "POST", `${here}/check-runs`, forged);
    expect((await scm.findChecks(sha)).map(({ by, own, state }) => [by, own, state])).toEqual([
      ["ada[bot]", false, "success"],
    ]);
    await scm.postCheck(check(sha, { state: "failure" }));
    expect((await scm.findChecks(sha)).map(({ own, state }) => [own, state])).toEqual([[true, "failure"]]);
  });

  it("a person's status next to our check run gets our state, also after ours changed", async () => {
    environment = await startTestEnvironment(oneFile);
    const sha = await propose();
    const scm = environment.as("bot");
    const status = { context: "meshroll/plan", state: "failure" };
    await environment.ask("ada", "POST", `${here}/statuses/${sha}`, status);
    await scm.postCheck(check(sha));
    const first = await scm.findChecks(sha);
    await scm.postCheck(check(sha, { state: "failure" }));
    const second = await scm.findChecks(sha);
    const show = (state: typeof first) => state.map(({ form, own, state }) => [form, own, state]);
    expect([show(first), show(second)]).toEqual([
      [
        ["run", true, "success"],
        ["status", true, "success"],
      ],
      [
        ["run", true, "failure"],
        ["status", true, "failure"],
      ],
    ]);
  });
});

describe("a personal token, with which GitHub accepts no check runs", () => {
  it("10.1 posts commit statuses of the same names, which protection counts", async () => {
    environment = await startTestEnvironment({ ...oneFile, users, protection: required });
    const sha = await propose();
    const scm = environment.as("bot");
    const title = "12 of 40 namespaces move; ".repeat(20);
    await scm.postCheck(check(sha, { state: "failure" }));
    await scm.postCheck(check(sha, { title }));
    await scm.postCheck(check(sha, { title }));
    expect(await scm.merge(1, sha)).toMatchObject({ kind: "refused" });
    await scm.postCheck(check(sha, { name: "meshroll/approvals", title: "none needed" }));
    const found = await environment.as("bot").findChecks(sha);
    expect(found.map(({ name, state, title: line }) => [name, state, line.length])).toEqual([
      ["meshroll/plan", "success", 140],
      ["meshroll/approvals", "success", 11],
    ]);
    expect(await scm.merge(1, sha)).toMatchObject({ kind: "merged" });
    const tries = environment.github.requests.filter(
      ({ method, path }) => method === "POST" && path.endsWith("/check-runs"),
    );
    expect(tries).toHaveLength(1);
  });

  it("is not assumed while GitHub only asks to wait", async () => {
    environment = await startTestEnvironment(oneFile);
    const sha = await propose();
    const effect: FaultEffect = { kind: "primaryLimit", resetInSeconds: 1800 };
    environment.github.addFault({ on: { method: "POST" }, effect });
    await expect(environment.as("bot").postCheck(check(sha))).rejects.toThrow(ScmUnavailable);
    expect((await environment.ask("ada", "GET", `${here}/commits/${sha}/statuses`)).body).toEqual([]);
  });

  it("is reported with what is missing when it cannot read the repository", async () => {
    environment = await startTestEnvironment(oneFile);
    const sha = await propose();
    await expect(environment.as("bot", { repo: "nowhere" }).postCheck(check(sha))).rejects.toThrow(ScmRefused);
  });
});

describe("reviewers", () => {
  it("have their permissions read, whatever GitHub shows next to their reviews", async () => {
    const people: readonly GithubUser[] = [
      { login: "bot", token: "token-of-bot" },
      { login: "hidden", token: "token-of-hidden", association: "CONTRIBUTOR" },
      { login: "reader", token: "token-of-reader", association: "MEMBER", mayWrite: false },
      { login: "robot", token: "token-of-robot", association: "NONE", type: "Bot" },
    ];
    environment = await startTestEnvironment({ ...oneFile, users: people });
    environment.remote.commitTo("b", { files: { x: "1\n" } });
    await environment.ask("bot", "POST", `${here}/pulls`, { head: "b", base: "main", title: "T" });
    for (const login of ["hidden", "reader", "robot"]) await environment.approve(login, 1);
    const scm = environment.as("bot");
    const reviews = await scm.reviews(1);
    expect(reviews.map(({ author, bot }) => [author, bot === true])).toEqual([
      ["hidden", false],
      ["reader", false],
      ["robot", true],
    ]);
    for (const login of ["hidden", "reader"]) await environment.as(login).putComment(1, "<!-- a -->", "/meshroll help");
    const said = await scm.recentComments(0);
    expect(said.map(({ author, isMember = false }) => [author, isMember])).toEqual([
      ["hidden", false],
      ["reader", true],
    ]);
    const body = "/meshroll judge\r\nand more";
    await environment.ask("hidden", "POST", `${here}/pulls/1/reviews`, { event: "COMMENT", body });
    expect((await scm.reviews(1)).at(-1)).toMatchObject({ state: "commented", line: "/meshroll judge" });
    const rights = ["hidden", "reader", "not-here"].map(async (login) => scm.permissionOf(login));
    expect(await Promise.all(rights)).toEqual(["write", "read", "none"]);
    const status = { kind: "status", status: 403, body: "{}" } as const;
    environment.github.addFault({ on: { path: /permission$/ }, effect: status, times: 1 });
    expect(await environment.as("bot").permissionOf("hidden")).toBe("unknown");
  });
});

describe("a name that has both a check run and a commit status", () => {
  it("is green only when both are, as GitHub documents it", async () => {
    environment = await startTestEnvironment({
      ...oneFile,
      protection: { requiredReviews: 0, requiredChecks: ["meshroll/plan"] },
    });
    const sha = await propose();
    await environment.ask("ada", "POST", `${here}/statuses/${sha}`, { context: "meshroll/plan", state: "failure" });
    const scm = environment.as("bot");
    await scm.postCheck(check(sha));
    await environment.ask("ada", "POST", `${here}/statuses/${sha}`, { context: "meshroll/plan", state: "failure" });
    expect(await scm.merge(1, sha)).toMatchObject({ kind: "refused" });
    await scm.postCheck(check(sha));
    expect(await scm.merge(1, sha)).toMatchObject({ kind: "merged" });
  });
});
