import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { loadOpenapiCheck } from "./openapi-check.ts";
import { routes } from "./serve/router.ts";
import { startTestEnvironment, type TestEnvironment } from "./test-world.ts";

const here = "/repos/acme/mesh";

describe("the routes", () => {
  it("are GitHub's, and each is described by OpenAPI", () => {
    const { operations } = loadOpenapiCheck();
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

  it("reads and writes files as commits of a branch", async () => {
    const content = Buffer.from("grüße\n").toString("base64");
    const put = (path: string, body: object) =>
      environment.ask("ada", "PUT", `${here}/contents/${path}`, { message: "m", content, ...body });
    const made = await put("campaigns/a%20b.yml", {});
    expect([made.status, made.body.content.path]).toEqual([201, "campaigns/a b.yml"]);
    expect(environment.remote.head("main")).toBe(made.body.commit.sha);
    const read = await environment.ask("ada", "GET", `${here}/contents/campaigns/a%20b.yml`);
    expect(Buffer.from(read.body.content, "base64").toString()).toBe("grüße\n");
    const folder = await environment.ask("ada", "GET", `${here}/contents/campaigns?ref=main`);
    expect(folder.body.map((entry: { name: string }) => entry.name)).toEqual(["a b.yml"]);
    const top = await environment.ask("ada", "GET", `${here}/contents/`);
    expect(top.body.map((entry: { type: string }) => entry.type)).toEqual(["dir", "file"]);
    expect((await environment.ask("ada", "GET", `${here}/contents/none`)).status).toBe(404);
    expect((await put("campaigns/a%20b.yml", {})).status).toBe(422);
    expect((await put("campaigns/a%20b.yml", { sha: main })).status).toBe(409);
    expect((await put("campaigns/a%20b.yml", { sha: read.body.sha, content: "" })).status).toBe(200);
    expect((await put("../x", {})).status).toBe(404);
  });

  it("makes a commit of blobs and trees, and moves branches fast-forward only", async () => {
    const blob = await environment.ask("ada", "POST", `${here}/git/blobs`, { content: "aGk=", encoding: "base64" });
    const entries = [
      { path: "a/b.txt", mode: "100644", type: "blob", sha: blob.body.sha },
      { path: "c.txt", mode: "100644", type: "blob", content: "text" },
      { path: "rollouts.yml", sha: null },
    ];
    const tree = await environment.ask("ada", "POST", `${here}/git/trees`, { base_tree: main, tree: entries });
    expect(tree.body.tree.map((entry: { path: string }) => entry.path)).toEqual(["a", "c.txt"]);
    const commit = await environment.ask("ada", "POST", `${here}/git/commits`, {
      message: "Made",
      tree: tree.body.sha,
      parents: [main],
    });
    const { sha } = commit.body;
    expect((await environment.ask("ada", "GET", `${here}/git/commits/${sha}`)).body).toMatchObject({
      message: "Made",
      author: { name: "ada" },
    });
    expect(
      (await environment.ask("ada", "POST", `${here}/git/refs`, { ref: "refs/heads/x/y", sha: main })).status,
    ).toBe(201);
    expect(
      (await environment.ask("ada", "POST", `${here}/git/refs`, { ref: "refs/heads/x/y", sha: main })).status,
    ).toBe(422);
    expect((await environment.ask("ada", "PATCH", `${here}/git/refs/heads/x/y`, { sha })).status).toBe(200);
    expect((await environment.ask("ada", "PATCH", `${here}/git/refs/heads%2Fx%2Fy`, { sha: main })).status).toBe(422);
    expect(
      (await environment.ask("ada", "PATCH", `${here}/git/refs/heads/x/y`, { sha: main, force: true })).status,
    ).toBe(200);
    expect((await environment.ask("ada", "GET", `${here}/git/ref/heads%2Fx%2Fy`)).body.object.sha).toBe(main);
    expect((await environment.ask("ada", "GET", `${here}/git/matching-refs/heads/x`)).body).toHaveLength(1);
    expect((await environment.ask("ada", "DELETE", `${here}/git/refs/heads/x/y`)).status).toBe(204);
    expect((await environment.ask("ada", "GET", `${here}/git/ref/heads/x/y`)).status).toBe(404);
    expect(
      (await environment.ask("ada", "POST", `${here}/git/refs`, { ref: "refs/heads/z", sha: "0".repeat(40) })).status,
    ).toBe(422);
    expect(
      (
        await environment.ask("ada", "POST", `${here}/git/trees`, {
          tree: [{ path: "a/../b", mode: "100644", content: "" }],
        })
      ).status,
    ).toBe(422);
  });

  it("lists and compares commits", async () => {
    const head = environment.remote.commitTo("compared", { files: { x: "1" }, message: "Ahead" });
    const base = environment.remote.head("main") ?? "";
    const commits = await environment.ask("ada", "GET", `${here}/commits?sha=compared&per_page=1`);
    expect(commits.body.map((commit: { sha: string }) => commit.sha)).toEqual([head]);
    expect(commits.headers.get("link")).toContain('rel="next"');
    expect((await environment.ask("ada", "GET", `${here}/commits/compared`)).body.sha).toBe(head);
    expect((await environment.ask("ada", "GET", `${here}/commits/nothing`)).status).toBe(422);
    expect((await environment.ask("ada", "GET", `${here}/compare/${base}...compared`)).body).toMatchObject({
      status: "ahead",
      ahead_by: 1,
    });
    expect((await environment.ask("ada", "GET", `${here}/compare/compared...main`)).body).toMatchObject({
      status: "behind",
    });
    expect((await environment.ask("ada", "GET", `${here}/compare/main...nothing`)).status).toBe(404);
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
    await environment.ask("bot", "POST", `${here}/statuses/${sha}`, { state: "pending", context: "ci" });
    expect((await environment.ask("ada", "GET", `${here}/commits/main/status`)).body).toMatchObject({
      state: "pending",
      total_count: 1,
    });
    await environment.ask("bot", "POST", `${here}/statuses/${sha}`, { state: "success", context: "ci" });
    expect((await environment.ask("ada", "GET", `${here}/commits/${sha}/status`)).body).toMatchObject({
      state: "success",
      total_count: 1,
    });
  });

  it("keeps deployments with their statuses", async () => {
    const made = await environment.ask("bot", "POST", `${here}/deployments`, {
      ref: "main",
      environment: "prod-eu",
      required_contexts: [],
    });
    const one = `${here}/deployments/${made.body.id}`;
    expect(
      (await environment.ask("bot", "POST", `${one}/statuses`, { state: "in_progress", description: "moving" })).status,
    ).toBe(201);
    expect((await environment.ask("bot", "POST", `${one}/statuses`, { state: "done" })).status).toBe(422);
    expect((await environment.ask("bot", "GET", `${one}/statuses`)).body).toMatchObject([
      { state: "in_progress", environment: "prod-eu" },
    ]);
    expect((await environment.ask("bot", "GET", `${here}/deployments?environment=prod-eu`)).body).toHaveLength(1);
    expect((await environment.ask("bot", "GET", `${here}/deployments?environment=none`)).body).toEqual([]);
    expect((await environment.ask("bot", "POST", `${here}/deployments`, { ref: "none" })).status).toBe(422);
  });

  it("shows a pull request with its files, reviews and comments", async () => {
    environment.remote.commitTo("pulled", { files: { "rollouts.yml": "one\ntwo\n", "new file": "x\n" } });
    const opened = await environment.ask("bot", "POST", `${here}/pulls`, {
      head: "pulled",
      base: "main",
      title: "T",
      body: "B",
    });
    const { number } = opened.body;
    const pull = `${here}/pulls/${number}`;
    expect(opened.body).toMatchObject({
      mergeable: true,
      mergeable_state: "clean",
      changed_files: 2,
      additions: 2,
      deletions: 0,
      commits: 1,
    });
    const files = await environment.ask("ada", "GET", `${pull}/files`);
    expect(files.body.map((file: { filename: string; status: string }) => [file.filename, file.status])).toEqual([
      ["new file", "added"],
      ["rollouts.yml", "modified"],
    ]);
    expect(files.body[1].patch).toBe("@@ -1 +1,2 @@\n one\n+two");
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
