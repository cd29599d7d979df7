import { inspect } from "node:util";

import { GitRefused, GitUnavailable, openRepository } from "#libs/git";
import { ScmRefused, ScmUnavailable } from "#libs/scm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { FaultEffect } from "./faults.ts";
import { startTestEnvironment, type TestEnvironment } from "../test-world.ts";

let environment: TestEnvironment;
beforeEach(async () => {
  environment = await startTestEnvironment();
  environment.remote.commitTo("b", { files: { x: "1\n" } });
});
afterEach(async () => environment.close());

const draft = { branch: "b", base: "main", title: "T", body: "B" };

function countRequests(method: string, path: RegExp): number {
  return environment.github.requests.filter((request) => request.method === method && path.test(request.path)).length;
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
    { name: "a bad gateway after the write", effect: { kind: "failAfter", status: 502 } },
    { name: "an answer that is lost after the write", effect: { kind: "loseAnswer" } },
    { name: "an answer that is cut midway", effect: { kind: "truncate" } },
    { name: "no answer in time", effect: { kind: "hang" } },
  ];
  for (const { name, effect } of passing) {
    it(`opens and merges exactly once in spite of ${name}`, async () => {
      const scm = environment.as("bot", effect.kind === "hang" ? { timeoutMs: 1000 } : {});
      environment.github.addFault({ on: { method: "POST", path: /\/pulls$/ }, effect });
      environment.github.addFault({ on: { method: "PUT" }, effect });
      const pull = await scm.openPullRequest(draft);
      expect(pull).toMatchObject({ number: 1, state: "open" });
      expect(await scm.merge(pull.number, pull.headSha)).toEqual({
        kind: "merged",
        sha: environment.remote.head("main"),
      });
      expect((await environment.ask("ada", "GET", "/repos/acme/mesh/pulls?state=all")).body).toHaveLength(1);
    });
  }

  it("treats a proxy's page and half a pull request as no answer", async () => {
    const scm = environment.as("bot");
    const bodies = ["<html>Please log in</html>", '{"number": 1', "[{}]", '{"number": 1}'];
    for (const body of bodies) {
      const headers = { "content-type": body.startsWith("<") ? "text/html" : "application/json" };
      const remove = environment.github.addFault({
        on: { path: /reviews/ },
        effect: { kind: "status", status: 200, body, headers },
        times: Infinity,
      });
      await expect(scm.reviews(1)).rejects.toThrow(ScmUnavailable);
      remove();
    }
  });

  it("sends nothing during a ban, and says how long it is", async () => {
    const scm = environment.as("bot");
    environment.github.addFault({ on: { path: /pulls/ }, effect: { kind: "primaryLimit", resetInSeconds: 1800 } });
    const first = await catchError(scm.findPullRequests("b"));
    expect(first).toBeInstanceOf(ScmUnavailable);
    const sent = environment.github.requests.length;
    const second = await catchError(scm.reviews(1));
    expect(second).toBeInstanceOf(ScmUnavailable);
    expect(environment.github.requests).toHaveLength(sent);
    const wait = second instanceof ScmUnavailable ? (second.retryAfterMs ?? 0) : 0;
    expect(Math.round(wait / 60_000)).toBe(30);
  });

  it("waits for no limit inside of a call, however short: it sends nothing more, and says how long", async () => {
    const scm = environment.as("bot");
    const effect = { kind: "secondaryLimit", retryAfterSeconds: 1 } as const;
    environment.github.addFault({ on: { path: /pulls/ }, effect, times: Infinity });
    expect(await catchError(scm.findPullRequests("b"))).toMatchObject({ retryAfterMs: 1000 });
    expect(countRequests("GET", /pulls/)).toBe(1);
  });

  it("treats a secondary limit without a header as one minute", async () => {
    environment.github.addFault({ on: { path: /pulls/ }, effect: { kind: "secondaryLimit" }, times: Infinity });
    const error = await catchError(environment.as("bot").findPullRequests("b"));
    expect(error).toMatchObject({ name: "ScmUnavailable", retryAfterMs: 60_000 });
    expect(countRequests("GET", /pulls/)).toBe(1);
  });

  it("repeats reads for free: an unchanged answer is a 304, and a change is seen at once", async () => {
    const scm = environment.as("bot");
    expect(await scm.findPullRequests("b")).toEqual([]);
    const before = (await environment.ask("ada", "GET", "/user")).headers.get("x-ratelimit-used");
    for (let time = 0; time < 3; time += 1) expect(await scm.findPullRequests("b")).toEqual([]);
    expect(environment.github.requests.filter((request) => request.status === 304)).toHaveLength(3);
    const after = (await environment.ask("ada", "GET", "/user")).headers.get("x-ratelimit-used");
    expect(Number(after) - Number(before)).toBe(1);
    await environment.as("ada").openPullRequest(draft);
    expect(await scm.findPullRequests("b")).toHaveLength(1);
  });

  it("reports a wrong token and a wrong repository with their fixes, and never shows the token", async () => {
    const cases = [
      environment.as("bot", { token: "ghp_secret" }),
      environment.as("bot", { token: "token-of-bot", repo: "ghp_secret-not" }),
    ];
    for (const scm of cases) expect(await catchError(scm.findPullRequests("b"))).toBeInstanceOf(ScmRefused);
    const error = await catchError(cases[0]?.findPullRequests("b") ?? Promise.resolve());
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("ghp_secret");
    expect(String(error)).toContain("renew the token");
  });
});

describe("git through faults", () => {
  it("gives up on a remote that does not answer in time", async () => {
    const { gitUrl: url } = environment.github;
    const repository = await openRepository({
      url,
      folder: environment.freshFolder(),
      credentials: { token: "token-of-bot" },
      timeoutMs: 1000,
    });
    environment.github.addFault({ on: { path: /info\/refs/ }, effect: { kind: "hang" } });
    const error = await catchError(repository.fetch());
    expect(error).toBeInstanceOf(GitUnavailable);
    expect(String(error)).toContain("no answer within 1 s");
  });

  it("stops a fetch when its caller gives up midway", async () => {
    const { gitUrl: url } = environment.github;
    const repository = await openRepository({
      url,
      folder: environment.freshFolder(),
      credentials: { token: "token-of-bot" },
    });
    environment.github.addFault({ on: { path: /info\/refs/ }, effect: { kind: "hang" } });
    const controller = new AbortController();
    const fetching = catchError(repository.fetch(controller.signal));
    await expect.poll(() => countRequests("GET", /info\/refs/), { timeout: 60_000 }).toBe(1);
    controller.abort(new Error("shutting down"));
    expect(String(await fetching)).toContain("shutting down");
    expect(await repository.fetch()).toMatchObject({ main: environment.remote.head("main") });
  });

  it("reports a wrong token without showing it", async () => {
    const { gitUrl: url } = environment.github;
    const token = "ghp_secret";
    const repository = await openRepository({ url, folder: environment.freshFolder(), credentials: { token } });
    const error = await catchError(repository.fetch());
    expect(error).toBeInstanceOf(GitRefused);
    const shown = inspect(error, { depth: 20, showHidden: true });
    expect(shown).not.toContain(token);
    expect(shown).not.toContain(Buffer.from(`x-access-token:${token}`).toString("base64"));
    expect(String(error)).toContain("renew the token");
  });

  it("does not treat a push whose answer was lost as failed", async () => {
    const { gitUrl: url } = environment.github;
    const repository = await openRepository({
      url,
      folder: environment.freshFolder(),
      credentials: { token: "token-of-bot" },
    });
    await repository.fetch();
    environment.github.addFault({ on: { method: "POST", path: /git-receive-pack/ }, effect: { kind: "loseAnswer" } });
    const push = {
      branch: "meshroll/ledger",
      files: { baseline: "x" },
      message: "m",
      author: { name: "a", email: "a@example.org" },
    };
    const outcome = await repository.commitAndPush(push);
    expect(outcome).toEqual({ kind: "pushed", sha: environment.remote.head("meshroll/ledger") });
  });
});
