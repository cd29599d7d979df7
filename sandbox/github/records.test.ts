import { type Check, ForgeRefused, type Forge, ForgeUnavailable } from "#libs/github";
import { afterEach, describe, expect, it } from "vitest";

import type { FaultEffect } from "./faults.ts";
import type { GithubUser } from "./options.ts";
import { oneFile, startTestWorld, type TestWorld } from "./test-world.ts";

const here = "/repos/acme/mesh";
const marker = "<!-- meshroll:status -->";
const required = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };
const users: readonly GithubUser[] = ["bot", "ada"].map((login) => {
  return { login, token: `token-of-${login}`, ...(login === "bot" ? { mayWriteChecks: false } : {}) };
});

let world: TestWorld;
afterEach(async () => world.close());

async function propose(): Promise<string> {
  const head = world.remote.commitTo("b", { files: { x: "1\n" } });
  await world.ask("ada", "POST", `${here}/pulls`, { head: "b", base: "main", title: "T" });
  return head;
}

function check(headSha: string, change: Partial<Check> = {}): Check {
  return { name: "meshroll/plan", headSha, state: "success", title: "12 move", summary: "a table", ...change };
}

function countWrites(): number {
  const isWrite = (method: string, path: string): boolean => method !== "GET" && path !== "/graphql";
  return world.github.requests.filter(({ method, path, status }) => isWrite(method, path) && status < 300).length;
}

/** Asks again as a service does at its next look. */
async function insist(work: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ForgeUnavailable)) throw error;
    }
  }
}

describe("a write whose answer is lost", () => {
  const effects: readonly FaultEffect[] = [
    { kind: "loseAnswer" },
    { kind: "truncate" },
    { kind: "status", status: 502 },
    { kind: "reset" },
  ];
  const writes: readonly {
    readonly name: string;
    readonly write: (forge: Forge, sha: string) => Promise<unknown>;
    readonly list: (sha: string) => string;
    readonly count: (body: never) => number;
  }[] = [
    {
      name: "a check",
      write: async (forge, sha) => forge.postCheck(check(sha)),
      list: (sha) => `/commits/${sha}/check-runs?filter=all`,
      count: (body: { readonly total_count: number }) => body.total_count,
    },
    {
      name: "a comment",
      write: async (forge) => forge.putComment(1, marker, "It waits"),
      list: () => "/issues/1/comments",
      count: (body: readonly unknown[]) => body.length,
    },
    {
      name: "a deployment",
      write: async (forge, sha) => forge.ensureDeployment({ sha, environment: "mesh", description: "12" }),
      list: () => "/deployments",
      count: (body: readonly unknown[]) => body.length,
    },
  ];
  for (const { name, write, list, count } of writes) {
    it(`leaves one ${name}, whatever happened to the answer`, async () => {
      world = await startTestWorld(oneFile);
      const sha = await propose();
      for (const effect of effects) world.github.addFault({ on: { method: "POST" }, effect });
      await insist(async () => write(world.as("bot"), sha));
      await insist(async () => write(world.as("bot"), sha));
      expect(count((await world.ask("ada", "GET", `${here}${list(sha)}`)).body as never)).toBe(1);
    });
  }

  it("leaves one state of a deployment", async () => {
    world = await startTestWorld(oneFile);
    const forge = world.as("bot");
    const sha = world.remote.head("main") ?? "";
    const { id } = await forge.ensureDeployment({ sha, environment: "mesh", description: "12" });
    world.github.addFault({ on: { method: "POST" }, effect: { kind: "loseAnswer" } });
    await insist(async () => forge.setDeploymentState(id, "success", "12 of 12"));
    expect((await world.ask("ada", "GET", `${here}/deployments/${id}/statuses`)).body).toHaveLength(1);
  });
});

describe("what stands already", () => {
  it("is not written again, by this process or the next one", async () => {
    world = await startTestWorld(oneFile);
    const sha = await propose();
    const write = async (forge: Forge): Promise<void> => {
      await forge.postCheck(check(sha));
      await forge.putComment(1, marker, "It waits");
    };
    await write(world.as("bot"));
    const before = countWrites();
    await write(world.as("bot"));
    expect(countWrites()).toBe(before);
  });

  it("of somebody else under our check's name is told with its app, and ours becomes the newest", async () => {
    world = await startTestWorld(oneFile);
    const sha = await propose();
    await world.ask("ada", "POST", `${here}/check-runs`, {
      name: "meshroll/plan",
      head_sha: sha,
      conclusion: "failure",
    });
    const forge = world.as("bot");
    expect(await forge.findChecks(sha)).toEqual([]);
    const standing = async () => (await forge.standingChecks(sha)).map(({ by, own, form }) => [by, own, form]);
    expect(await standing()).toEqual([["ada[bot]", false, "run"]]);
    await forge.postCheck(check(sha));
    expect(await forge.findChecks(sha)).toEqual([check(sha)]);
    expect(await standing()).toEqual([["bot[bot]", true, "run"]]);
  });

  it("of another app with our mark on it, newer than ours, is not taken for ours", async () => {
    world = await startTestWorld(oneFile);
    const sha = await propose();
    const forge = world.as("bot");
    await forge.postCheck(check(sha, { state: "failure" }));
    const forged = { name: "meshroll/plan", head_sha: sha, conclusion: "success", external_id: "meshroll" };
    await world.ask("ada", "POST", `${here}/check-runs`, forged);
    expect((await forge.standingChecks(sha)).map(({ by, own, state }) => [by, own, state])).toEqual([
      ["ada[bot]", false, "success"],
    ]);
    await forge.postCheck(check(sha, { state: "failure" }));
    expect((await forge.standingChecks(sha)).map(({ own, state }) => [own, state])).toEqual([[true, "failure"]]);
  });

  it("as a status of a person beside our check run says then what ours says, also after ours changed", async () => {
    world = await startTestWorld(oneFile);
    const sha = await propose();
    const forge = world.as("bot");
    const status = { context: "meshroll/plan", state: "failure" };
    await world.ask("ada", "POST", `${here}/statuses/${sha}`, status);
    await forge.postCheck(check(sha));
    const first = await forge.standingChecks(sha);
    await forge.postCheck(check(sha, { state: "failure" }));
    const second = await forge.standingChecks(sha);
    const show = (standing: typeof first) => standing.map(({ form, own, state }) => [form, own, state]);
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

describe("a personal token, with which GitHub lets nobody write check runs", () => {
  it("10.1 posts commit statuses of the same names, which protection counts", async () => {
    world = await startTestWorld({ ...oneFile, users, protection: required });
    const sha = await propose();
    const forge = world.as("bot");
    const title = "12 of 40 namespaces move; ".repeat(20);
    await forge.postCheck(check(sha, { state: "failure" }));
    await forge.postCheck(check(sha, { title }));
    await forge.postCheck(check(sha, { title }));
    expect(await forge.merge(1, sha)).toMatchObject({ kind: "refused" });
    await forge.postCheck(check(sha, { name: "meshroll/approvals", title: "none needed" }));
    const found = await world.as("bot").findChecks(sha);
    expect(found.map(({ name, state, title: line }) => [name, state, line.length])).toEqual([
      ["meshroll/plan", "success", 140],
      ["meshroll/approvals", "success", 11],
    ]);
    expect(await forge.merge(1, sha)).toMatchObject({ kind: "merged" });
    const tries = world.github.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/check-runs"));
    expect(tries).toHaveLength(1);
  });

  it("is not taken for one while GitHub only asks to wait", async () => {
    world = await startTestWorld(oneFile);
    const sha = await propose();
    const effect: FaultEffect = { kind: "primaryLimit", resetInSeconds: 1800 };
    world.github.addFault({ on: { method: "POST" }, effect });
    await expect(world.as("bot").postCheck(check(sha))).rejects.toThrow(ForgeUnavailable);
    expect((await world.ask("ada", "GET", `${here}/commits/${sha}/status`)).body.total_count).toBe(0);
  });

  it("says what is missing where the repository cannot be seen at all", async () => {
    world = await startTestWorld(oneFile);
    const sha = await propose();
    await expect(world.as("bot", { repo: "nowhere" }).postCheck(check(sha))).rejects.toThrow(ForgeRefused);
  });
});

describe("reviewers", () => {
  it("are asked about whatever GitHub shows beside their reviews", async () => {
    const people: readonly GithubUser[] = [
      { login: "bot", token: "token-of-bot" },
      { login: "hidden", token: "token-of-hidden", association: "CONTRIBUTOR" },
      { login: "reader", token: "token-of-reader", association: "MEMBER", mayWrite: false },
      { login: "robot", token: "token-of-robot", association: "NONE", type: "Bot" },
    ];
    world = await startTestWorld({ ...oneFile, users: people });
    world.remote.commitTo("b", { files: { x: "1\n" } });
    await world.ask("bot", "POST", `${here}/pulls`, { head: "b", base: "main", title: "T" });
    for (const login of ["hidden", "reader", "robot"]) await world.as(login).approve(1);
    const forge = world.as("bot");
    const reviews = await forge.reviews(1);
    expect(reviews.map(({ author, bot }) => [author, bot === true])).toEqual([
      ["hidden", false],
      ["reader", false],
      ["robot", true],
    ]);
    const body = "/meshroll judge\r\nand more";
    await world.ask("hidden", "POST", `${here}/pulls/1/reviews`, { event: "COMMENT", body });
    expect((await forge.reviews(1)).at(-1)).toMatchObject({ state: "commented", line: "/meshroll judge" });
    const rights = ["hidden", "reader", "nobody-here"].map(async (login) => forge.permissionOf(login));
    expect(await Promise.all(rights)).toEqual(["write", "read", "none"]);
    const status = { kind: "status", status: 403, body: "{}" } as const;
    world.github.addFault({ on: { path: /permission$/ }, effect: status, times: 1 });
    expect(await world.as("bot").permissionOf("hidden")).toBe("unknown");
  });
});

describe("a name that has both a check run and a commit status", () => {
  it("is green only when both are, as GitHub documents it", async () => {
    world = await startTestWorld({ ...oneFile, protection: { requiredReviews: 0, requiredChecks: ["meshroll/plan"] } });
    const sha = await propose();
    await world.ask("ada", "POST", `${here}/statuses/${sha}`, { context: "meshroll/plan", state: "failure" });
    const forge = world.as("bot");
    await forge.postCheck(check(sha));
    await world.ask("ada", "POST", `${here}/statuses/${sha}`, { context: "meshroll/plan", state: "failure" });
    expect(await forge.merge(1, sha)).toMatchObject({ kind: "refused" });
    await forge.postCheck(check(sha));
    expect(await forge.merge(1, sha)).toMatchObject({ kind: "merged" });
  });
});
