import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { loadAnswerCheck } from "./described/check-answers.ts";
import { routes } from "./serve/router.ts";
import { startTestEnvironment, type TestEnvironment } from "./test-world.ts";

const here = "/repos/acme/mesh";

describe("the routes", () => {
  it("are GitHub's, and each is described by OpenAPI", () => {
    const { operations } = loadAnswerCheck();
    expect(routes.map((route) => route.operation).filter((operation) => !operations.has(operation))).toEqual([]);
  });
});

/** `close` fails the file if any answer did not match GitHub's description. */
describe("a walk through the API", () => {
  let environment: TestEnvironment;
  let main: string;
  beforeAll(async () => {
    environment = await startTestEnvironment();
    main = environment.remote.head("main") ?? "";
  });
  afterAll(async () => environment.close());

  it("knows the caller by the token, and refuses calls without one", async () => {
    expect((await environment.ask("ada", "GET", "/user")).body).toMatchObject({ login: "ada", type: "User" });
    expect((await environment.ask("eve", "GET", "/user")).status).toBe(401);
    expect((await fetch(`${environment.github.url}/user`)).status).toBe(401);
    expect((await environment.ask("ada", "GET", `${here}/collaborators/root/permission`)).body).toMatchObject({
      permission: "admin",
    });
    expect((await environment.ask("ada", "GET", `${here}/collaborators/eve/permission`)).status).toBe(404);
  });

  it("shows the repository and its branches", async () => {
    expect((await environment.ask("ada", "GET", here)).body).toMatchObject({
      full_name: "acme/mesh",
      permissions: { push: true, admin: false },
    });
    expect((await environment.ask("ada", "GET", "/repos/acme/other")).status).toBe(404);
    expect((await environment.ask("ada", "GET", "/nonsense")).status).toBe(404);
    expect((await environment.ask("ada", "GET", `${here}/branches/main`)).body).toMatchObject({
      protected: true,
      commit: { sha: main },
    });
    expect((await environment.ask("ada", "GET", `${here}/branches/none`)).status).toBe(404);
    // Only administrators may read classic protection.
    expect((await environment.ask("ada", "GET", `${here}/branches/main/protection`)).status).toBe(404);
    expect((await environment.ask("root", "GET", `${here}/branches/main/protection`)).status).toBe(200);
    expect((await environment.ask("ada", "GET", `${here}/branches/other/protection`)).status).toBe(404);
  });

  it("keeps check runs and statuses by commit, the newest of a name first", async () => {
    const sha = environment.remote.head("main") ?? "";
    const check = { name: "meshroll/plan", head_sha: sha, status: "in_progress", output: { title: "t", summary: "s" } };
    const made = await environment.ask("bot", "POST", `${here}/check-runs`, check);
    expect(made.body).toMatchObject({ status: "in_progress", conclusion: null });
    const done = await environment.ask("bot", "PATCH", `${here}/check-runs/${made.body.id}`, {
      conclusion: "success",
      output: { summary: "done" },
    });
    expect(done.body).toMatchObject({
      status: "completed",
      conclusion: "success",
      output: { title: "t", summary: "done" },
    });
    await environment.ask("bot", "POST", `${here}/check-runs`, {
      ...check,
      status: "completed",
      conclusion: "failure",
    });
    const listed = await environment.ask("ada", "GET", `${here}/commits/main/check-runs?check_name=meshroll/plan`);
    expect(listed.body).toMatchObject({ total_count: 1, check_runs: [{ conclusion: "failure" }] });
    expect((await environment.ask("ada", "GET", `${here}/commits/${sha}/check-runs?filter=all`)).body.total_count).toBe(
      2,
    );
    expect((await environment.ask("bot", "POST", `${here}/check-runs`, { ...check, status: "completed" })).status).toBe(
      422,
    );
    const long = { ...check, output: { title: "t", summary: "x".repeat(65_536) } };
    expect((await environment.ask("bot", "POST", `${here}/check-runs`, long)).status).toBe(422);
    for (const state of ["pending", "success"])
      await environment.ask("bot", "POST", `${here}/statuses/${sha}`, { state, context: "ci" });
    const statuses = await environment.ask("ada", "GET", `${here}/commits/main/statuses`);
    expect(statuses.body.map(({ state }: { state: string }) => state)).toEqual(["success", "pending"]);
  });

  it("compares commits", async () => {
    const base = environment.remote.head("main") ?? "";
    environment.remote.commitTo("compared", { files: { x: "1" }, message: "Ahead" });
    const compare = async (range: string) => environment.ask("ada", "GET", `${here}/compare/${range}`);
    expect((await compare(`${base}...compared`)).body).toMatchObject({ status: "ahead", ahead_by: 1 });
    expect((await compare("compared...main")).body).toMatchObject({ status: "behind" });
    expect((await compare("main...nothing")).status).toBe(404);
  });

  it("refuses a deployment of nothing, and a state that is none", async () => {
    const make = async (body: object) => environment.ask("bot", "POST", `${here}/deployments`, body);
    const { body } = await make({ ref: "main", environment: "prod-eu", required_contexts: [] });
    const said = await environment.ask("bot", "POST", `${here}/deployments/${body.id}/statuses`, { state: "done" });
    expect([said.status, (await make({ ref: "none" })).status]).toEqual([422, 422]);
  });

  it("shows a pull request with its reviews and comments", async () => {
    environment.remote.commitTo("pulled", { files: { "rollouts.yml": "one\ntwo\n", "new file": "x\n" } });
    const opened = await environment.ask("bot", "POST", `${here}/pulls`, {
      head: "pulled",
      base: "main",
      title: "T",
      body: "B",
    });
    const { number } = opened.body;
    const pull = `${here}/pulls/${number}`;
    const read = async () => (await environment.ask("ada", "GET", pull)).body;
    expect([opened.body, await read(), await read()]).toMatchObject([
      { mergeable: null, mergeable_state: "unknown", commits: 1 },
      { mergeable: null, mergeable_state: "unknown" },
      { mergeable: true, mergeable_state: "clean" },
    ]);
    expect((await environment.ask("ada", "PATCH", pull, { title: "T2" })).body.title).toBe("T2");
    expect((await environment.ask("ada", "GET", `${here}/commits/${opened.body.head.sha}/pulls`)).body).toHaveLength(1);
    expect((await environment.ask("ada", "POST", `${pull}/reviews`, { event: "REQUEST_CHANGES" })).status).toBe(422);
    expect(
      (await environment.ask("ada", "POST", `${pull}/reviews`, { event: "REQUEST_CHANGES", body: "no" })).body.state,
    ).toBe("CHANGES_REQUESTED");
    const comment = await environment.ask("ada", "POST", `${here}/issues/${number}/comments`, {
      body: "/meshroll pause",
    });
    expect(
      (await environment.ask("ada", "PATCH", `${here}/issues/comments/${comment.body.id}`, { body: "x" })).body.body,
    ).toBe("x");
    expect((await environment.ask("ada", "GET", `${here}/issues/${number}/comments`)).body).toHaveLength(1);
    expect(
      (await environment.ask("ada", "POST", `${here}/issues/${number}/comments`, { body: "x".repeat(65_537) })).status,
    ).toBe(422);
    expect((await environment.ask("ada", "PATCH", pull, { state: "closed" })).body.state).toBe("closed");
    expect((await environment.ask("ada", "PATCH", pull, { state: "open" })).body.state).toBe("open");
  });
});
