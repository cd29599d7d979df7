import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startTestEnvironment, type TestEnvironment } from "../test-world.ts";
import { createRequestCheck } from "./check-requests.ts";

const here = "/repos/acme/mesh";

interface Case {
  readonly name: string;
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Absent: GitHub describes such a request. */
  readonly want?: string;
}

const repository = { owner: "acme", repo: "mesh" };
const run = { name: "meshroll/plan", head_sha: "a1" };

const cases: readonly Case[] = [
  { name: "a list with its filters", route: "GET /repos/{owner}/{repo}/pulls", query: "state=all&per_page=100&page=2" },
  {
    name: "an unknown query parameter",
    route: "GET /repos/{owner}/{repo}/pulls",
    query: "status=open",
    want: "query has status, which GitHub does not know",
  },
  {
    name: "a value that is not among the described ones",
    route: "GET /repos/{owner}/{repo}/pulls",
    query: "state=merged",
    want: "query/state must be equal to one of the allowed values",
  },
  {
    name: "a number that is none",
    route: "GET /repos/{owner}/{repo}/pulls",
    query: "page=last",
    want: "query/page must be integer",
  },
  {
    name: "a time with milliseconds",
    route: "GET /repos/{owner}/{repo}/issues/comments",
    query: "since=2026-11-20T09:00:00.000Z",
    want: 'query/since must match format "date-time"',
  },
  {
    name: "a path's number that is none",
    route: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
    params: { pull_number: "seven" },
    want: "path/pull_number must be integer",
  },
  {
    name: "an unknown field",
    route: "POST /repos/{owner}/{repo}/pulls",
    body: { head: "b", base: "main", title: "T", labels: ["x"] },
    want: "body has labels, which GitHub does not know",
  },
  {
    name: "a missing field",
    route: "POST /repos/{owner}/{repo}/pulls",
    body: { head: "b", title: "T" },
    want: "body must have required property 'base'",
  },
  {
    name: "a field of another type",
    route: "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge",
    params: { pull_number: "7" },
    body: { sha: 7 },
    want: "body/sha must be string",
  },
  {
    name: "an unknown field deep inside",
    route: "POST /repos/{owner}/{repo}/check-runs",
    body: { ...run, conclusion: "success", output: { title: "t", summary: "s", body: "b" } },
    want: "body/output has body, which GitHub does not know",
  },
  {
    name: "a check run that is completed, without a conclusion",
    route: "PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}",
    params: { check_run_id: "7" },
    body: { status: "completed" },
    want: "body must have required property 'conclusion'",
  },
  {
    name: "a check run with its conclusion",
    route: "POST /repos/{owner}/{repo}/check-runs",
    body: { ...run, conclusion: "neutral" },
  },
  {
    name: "labels with more than labels",
    route: "POST /repos/{owner}/{repo}/issues/{issue_number}/labels",
    params: { issue_number: "7" },
    body: { labels: ["x"], colour: "red" },
    want: "body has colour, which GitHub does not know",
  },
  {
    name: "a body where none is described",
    route: "GET /repos/{owner}/{repo}/pulls",
    body: { state: "all" },
    want: "body has state, which GitHub does not know",
  },
  {
    name: "a question of GraphQL by another name",
    route: "POST /graphql",
    params: {},
    body: { question: "{ viewer }" },
    want: "body must have required property 'query'; body has question, which GitHub does not know",
  },
];

const check = createRequestCheck();

it.each(cases)("$name", ({ route, params = {}, query = "", body = {}, want }) => {
  const given = route === "POST /graphql" ? params : { ...repository, ...params };
  const found = check({ route, params: given, query: new URLSearchParams(query), body });
  expect(found ?? "described").toContain(want ?? "described");
});

describe("the stand-in", () => {
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await startTestEnvironment();
  });
  afterAll(async () => {
    await expect(environment.close()).rejects.toThrow(/query has status, which GitHub does not know/u);
  });

  it("fails for a request that GitHub would carry out without what is misspelt, and refuses others as GitHub does", async () => {
    const misspelt = await environment.ask("ada", "GET", `${here}/pulls?status=all`);
    const refused = await environment.ask("ada", "POST", `${here}/pulls`, { head: "b", title: "T" });
    expect([misspelt.status, refused.status]).toEqual([500, 422]);
    expect(misspelt.body.message).toContain("GitHub does not describe this request, GET /repos/{owner}/{repo}/pulls");
  });
});
