import { afterEach, expect, it } from "vitest";

import { oneFile, startTestEnvironment, type TestEnvironment } from "./test-world.ts";

const here = "/repos/acme/mesh";
let environment: TestEnvironment;
afterEach(async () => environment.close());

it("a page has what is asked for, a hundred at most, and its header names the next", async () => {
  environment = await startTestEnvironment(oneFile);
  const head = environment.remote.head("main") ?? "";
  const status = { state: "success", context: "ci" };
  for (let count = 0; count < 101; count += 1) await environment.ask("ada", "POST", `${here}/statuses/${head}`, status);
  const list = async (query: string) => environment.ask("ada", "GET", `${here}/commits/${head}/statuses${query}`);
  const pages = [await list(""), await list("?per_page=7"), await list("?per_page=1000&page=2")];
  expect(pages.map(({ body }) => body.length)).toEqual([30, 7, 1]);
  expect(pages.map(({ headers }) => /rel="next"/u.test(headers.get("link") ?? ""))).toEqual([true, true, false]);
});

it("meshroll reads lists to their end, however short their pages are", async () => {
  const parameters = { required_status_checks: [{ context: "ci" }], strict_required_status_checks_policy: true };
  const rules = [
    { type: "deletion" },
    { type: "required_linear_history" },
    { type: "required_status_checks", parameters },
  ];
  const ledgerRules = ["update", "deletion", "non_fast_forward"];
  const protection = { requiredReviews: 0, requiredChecks: [], rules, ledgerRules };
  environment = await startTestEnvironment({ ...oneFile, protection, pageSize: 1 });
  const headSha = environment.remote.commitTo("b", { files: { x: "1\n" } });
  const scm = environment.as("bot");
  const check = { name: "meshroll/plan", headSha, state: "success", title: "t", summary: "s" } as const;
  await scm.openPullRequest({ branch: "b", base: "main", title: "T", body: "" });
  await scm.postCheck(check);
  for (const name of ["lint", "test"])
    await environment.ask("ada", "POST", `${here}/check-runs`, { name, head_sha: headSha, conclusion: "success" });
  for (const context of ["meshroll/plan", "lint", "test"])
    await environment.ask("ada", "POST", `${here}/statuses/${headSha}`, { context, state: "success" });
  await scm.postCheck(check);
  const outcome = await scm.merge(1, headSha);
  expect((await scm.findChecks(headSha)).map(({ form, own }) => [form, own])).toEqual([
    ["run", true],
    ["status", true],
  ]);
  expect(await scm.ledgerRules()).toEqual({ ledgerRules });
  expect(outcome).toMatchObject({
    kind: "refused",
    demands: [{ code: "CheckNotGreen", name: "ci", state: "missing" }],
  });
  const all = await environment.ask("ada", "GET", `${here}/commits/${headSha}/check-runs?filter=all`);
  expect(all.body.total_count).toBe(3);
});
