import { inspect } from "node:util";

import { GitRefused, GitUnavailable, openRepository } from "#libs/git";
import { ForgeRefused, ForgeUnavailable } from "#libs/github";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { FaultEffect } from "./faults.ts";
import { startTestWorld, type TestWorld } from "./test-world.ts";

let world: TestWorld;
beforeEach(async () => {
  world = await startTestWorld();
  world.remote.commitTo("b", { files: { x: "1\n" } });
});
afterEach(async () => world.close());

const draft = { branch: "b", base: "main", title: "T", body: "B" };

function countRequests(method: string, path: RegExp): number {
  return world.github.requests.filter((request) => request.method === method && path.test(request.path)).length;
}

async function catchError(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("Octokit through faults", () => {
  const passing: readonly { readonly name: string; readonly effect: FaultEffect }[] = [
    { name: "a bad gateway that answers HTML", effect: { kind: "status", status: 502 } },
    { name: "a connection that is cut", effect: { kind: "reset" } },
    { name: "an answer that is lost after the deed", effect: { kind: "loseAnswer" } },
    { name: "an answer that is cut midway", effect: { kind: "truncate" } },
    { name: "a short secondary limit", effect: { kind: "secondaryLimit", retryAfterSeconds: 1 } },
    { name: "nobody who answers in time", effect: { kind: "hang" } },
  ];
  for (const { name, effect } of passing) {
    it(`opens and merges exactly once in spite of ${name}`, async () => {
      const forge = world.as("bot", effect.kind === "hang" ? { timeoutMs: 1000 } : {});
      world.github.addFault({ on: { method: "POST", path: /\/pulls$/ }, effect });
      world.github.addFault({ on: { method: "PUT" }, effect });
      const pull = await forge.openPullRequest(draft);
      expect(pull).toMatchObject({ number: 1, state: "open" });
      expect(await forge.merge(pull.number, pull.headSha)).toEqual({ kind: "merged", sha: world.remote.head("main") });
      expect((await world.ask("ada", "GET", "/repos/acme/mesh/pulls?state=all")).body).toHaveLength(1);
    });
  }

  it("takes a page of a proxy and half a pull request for no answer", async () => {
    const forge = world.as("bot");
    const bodies = ["<html>Please log in</html>", '{"number": 1', "[{}]", '{"number": 1}'];
    for (const body of bodies) {
      const headers = { "content-type": body.startsWith("<") ? "text/html" : "application/json" };
      const remove = world.github.addFault({
        on: { path: /reviews/ },
        effect: { kind: "status", status: 200, body, headers },
        times: Infinity,
      });
      await expect(forge.reviews(1)).rejects.toThrow(ForgeUnavailable);
      remove();
    }
  });

  it("sends nothing during a ban, and says how long it is", async () => {
    const forge = world.as("bot");
    world.github.addFault({ on: { path: /pulls/ }, effect: { kind: "primaryLimit", resetInSeconds: 1800 } });
    const first = await catchError(forge.findPullRequests("b"));
    expect(first).toBeInstanceOf(ForgeUnavailable);
    const sent = world.github.requests.length;
    const second = await catchError(forge.reviews(1));
    expect(second).toBeInstanceOf(ForgeUnavailable);
    expect(world.github.requests).toHaveLength(sent);
    const wait = second instanceof ForgeUnavailable ? (second.retryAfterMs ?? 0) : 0;
    expect(Math.round(wait / 60_000)).toBe(30);
  });

  it("takes a secondary limit without a header for a minute", async () => {
    world.github.addFault({ on: { path: /pulls/ }, effect: { kind: "secondaryLimit" }, times: Infinity });
    const error = await catchError(world.as("bot").findPullRequests("b"));
    expect(error).toMatchObject({ name: "ForgeUnavailable", retryAfterMs: 60_000 });
    expect(countRequests("GET", /pulls/)).toBe(1);
  });

  it("asks again for free: an unchanged answer is a 304, and a change is seen at once", async () => {
    const forge = world.as("bot");
    expect(await forge.findPullRequests("b")).toEqual([]);
    const before = (await world.ask("ada", "GET", "/user")).headers.get("x-ratelimit-used");
    for (let time = 0; time < 3; time += 1) expect(await forge.findPullRequests("b")).toEqual([]);
    expect(world.github.requests.filter((request) => request.status === 304)).toHaveLength(3);
    const after = (await world.ask("ada", "GET", "/user")).headers.get("x-ratelimit-used");
    expect(Number(after) - Number(before)).toBe(1);
    await world.as("ada").openPullRequest(draft);
    expect(await forge.findPullRequests("b")).toHaveLength(1);
  });

  it("names a wrong token, a wrong repository and what mends them, without the token", async () => {
    const cases = [
      world.as("bot", { token: "ghp_secret" }),
      world.as("bot", { token: "token-of-bot", repo: "ghp_secret-not" }),
    ];
    for (const forge of cases) expect(await catchError(forge.findPullRequests("b"))).toBeInstanceOf(ForgeRefused);
    const error = await catchError(cases[0]?.findPullRequests("b") ?? Promise.resolve());
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("ghp_secret");
    expect(String(error)).toContain("renew the token");
  });
});

describe("git through faults", () => {
  it("gives up on a remote that does not answer in time", async () => {
    const { gitUrl: url } = world.github;
    const repository = await openRepository({
      url,
      folder: world.freshFolder(),
      credentials: { token: "token-of-bot" },
      timeoutMs: 1000,
    });
    world.github.addFault({ on: { path: /info\/refs/ }, effect: { kind: "hang" } });
    const error = await catchError(repository.fetch());
    expect(error).toBeInstanceOf(GitUnavailable);
    expect(String(error)).toContain("no answer within 1 s");
  });

  it("stops a fetch when its caller gives up midway", async () => {
    const { gitUrl: url } = world.github;
    const repository = await openRepository({
      url,
      folder: world.freshFolder(),
      credentials: { token: "token-of-bot" },
    });
    world.github.addFault({ on: { path: /info\/refs/ }, effect: { kind: "hang" } });
    const controller = new AbortController();
    const fetching = catchError(repository.fetch(controller.signal));
    await expect.poll(() => countRequests("GET", /info\/refs/), { timeout: 4000 }).toBe(1);
    controller.abort(new Error("shutting down"));
    expect(String(await fetching)).toContain("shutting down");
    expect(await repository.fetch()).toMatchObject({ main: world.remote.head("main") });
  });

  it("names a wrong token without showing it", async () => {
    const { gitUrl: url } = world.github;
    const token = "ghp_secret";
    const repository = await openRepository({ url, folder: world.freshFolder(), credentials: { token } });
    const error = await catchError(repository.fetch());
    expect(error).toBeInstanceOf(GitRefused);
    const shown = inspect(error, { depth: 20, showHidden: true });
    expect(shown).not.toContain(token);
    expect(shown).not.toContain(Buffer.from(`x-access-token:${token}`).toString("base64"));
    expect(String(error)).toContain("renew the token");
  });

  it("does not take a push whose answer was lost for one that failed", async () => {
    const { gitUrl: url } = world.github;
    const repository = await openRepository({
      url,
      folder: world.freshFolder(),
      credentials: { token: "token-of-bot" },
    });
    await repository.fetch();
    world.github.addFault({ on: { method: "POST", path: /git-receive-pack/ }, effect: { kind: "loseAnswer" } });
    const push = {
      branch: "meshroll/ledger",
      files: { baseline: "x" },
      message: "m",
      author: { name: "a", email: "a@example.org" },
    };
    const outcome = await repository.commitAndPush(push);
    expect(outcome).toEqual({ kind: "pushed", sha: world.remote.head("meshroll/ledger") });
  });
});
