import { ScmRefused, ScmUnavailable } from "#libs/scm";
import { expect, test } from "vitest";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { withScm } from "./choose-scm.ts";

const refused = (status?: number) =>
  new ScmRefused("GitHub answered 401 in a text", "fix it", status === undefined ? {} : { status });

test.each([
  { name: "a token that GitHub does not know", error: refused(401), want: exitCodes.authentication },
  { name: "a right that is missing", error: refused(403), want: exitCodes.authentication },
  { name: "another answer, whatever its text", error: refused(404), want: exitCodes.failed },
  {
    name: "an App that is suspended",
    error: new ScmRefused("suspended", "unsuspend it", { reason: "AppSuspended" }),
    want: exitCodes.authentication,
  },
  {
    name: "a repository of another name",
    error: new ScmRefused("renamed", "name it", { reason: "RepositoryMoved" }),
    want: exitCodes.failed,
  },
  { name: "a refusal without an answer", error: refused(), want: exitCodes.failed },
  { name: "GitHub that is down", error: new ScmUnavailable("x"), want: exitCodes.unavailable },
])("$name ends with its exit code", async ({ error, want }) => {
  const options = { url: "http://127.0.0.1:9", owner: "acme", repo: "rollouts", token: "t" };
  const code = await withScm(options as unknown as Parameters<typeof withScm>[0], async () =>
    Promise.reject(error),
  ).catch((thrown: unknown) => (thrown instanceof Refusal ? thrown.exitCode : thrown));
  expect(code).toBe(want);
});
