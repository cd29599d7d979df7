import { describe, expect, it } from "vitest";

import { createBan } from "./ban.ts";
import { classify, isHidden, readBanMs } from "./classify.ts";
import { ScmRefused, ScmUnavailable } from "../port/errors.ts";

function fail(status: number, message: string, headers: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(message), { status, response: { headers } });
}

const now = 1_800_000_000_000;

describe("the wait that GitHub asks for", () => {
  const cases: readonly { readonly name: string; readonly error: unknown; readonly wantMs: number | undefined }[] = [
    { name: "is in the header", error: fail(403, "secondary rate limit", { "retry-after": "90" }), wantMs: 90_000 },
    {
      name: "is a minute when the header makes no sense",
      error: fail(429, "slow down", { "retry-after": "soon" }),
      wantMs: 60_000,
    },
    {
      name: "is a minute for a secondary limit without a header",
      error: fail(403, "a secondary rate limit"),
      wantMs: 60_000,
    },
    { name: "is a minute for any 429", error: fail(429, "too many"), wantMs: 60_000 },
    {
      name: "lasts a second beyond the reset",
      error: fail(403, "limit", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 + 30) }),
      wantMs: 31_000,
    },
    {
      name: "is at least a second, also after the reset",
      error: fail(403, "limit", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(now / 1000 - 30) }),
      wantMs: 1_000,
    },
    {
      name: "is none for missing rights",
      error: fail(403, "Resource not accessible by integration"),
      wantMs: undefined,
    },
    { name: "is none for an outage", error: fail(502, "bad gateway", { "retry-after": "5" }), wantMs: undefined },
    { name: "is none for a bug of ours", error: new TypeError("x is undefined"), wantMs: undefined },
  ];
  for (const { name, error, wantMs } of cases) it(name, () => expect(readBanMs(error, now)).toBe(wantMs));
});

describe("what this token may not read", () => {
  const cases = [
    { name: "is 403 for missing rights", error: fail(403, "Resource not accessible by integration"), want: true },
    { name: "is 404", error: fail(404, "Not Found"), want: true },
    { name: "is not a rate limit", error: fail(403, "a secondary rate limit"), want: false },
    { name: "is not an outage", error: fail(502, "bad gateway"), want: false },
    { name: "is not a bug of ours", error: new TypeError("x is undefined"), want: false },
  ];
  it.each(cases)("$name", ({ error, want }) => expect(isHidden(error)).toBe(want));
});

describe("an error of Octokit", () => {
  const cases: readonly { readonly status: number; readonly want: typeof ScmUnavailable | typeof ScmRefused }[] = [
    { status: 304, want: ScmUnavailable },
    { status: 401, want: ScmRefused },
    { status: 403, want: ScmRefused },
    { status: 404, want: ScmRefused },
    { status: 408, want: ScmUnavailable },
    { status: 422, want: ScmRefused },
    { status: 451, want: ScmRefused },
    { status: 500, want: ScmUnavailable },
    { status: 504, want: ScmUnavailable },
  ];
  for (const { status, want } of cases) {
    it(`of status ${status} is ${want.name}, keeps its cause and hides the token`, () => {
      const cause = fail(status, "no: ghp_secret");
      const error = classify(cause, { doing: "reading", token: "ghp_secret", scm: "GitHub" });
      expect(error).toBeInstanceOf(want);
      expect(error.cause).toBe(cause);
      expect(error.message).toContain("no: [token]");
    });
  }

  it("stays as it is when it is a bug of ours", () => {
    const bug = new TypeError("x is undefined");
    expect(classify(bug, { doing: "reading", token: "t", scm: "GitHub" })).toBe(bug);
  });
});

describe("a ban", () => {
  it("lasts as long as GitHub says, and a shorter one does not end it", () => {
    let clock = 0;
    const ban = createBan("GitHub", () => clock);
    ban.requireNone("reading");
    ban.requireOver("reading");
    ban.start(10_000);
    ban.start(1_000);
    clock = 9_999;
    expect(() => ban.requireNone("reading")).toThrow(ScmUnavailable);
    clock = 10_000;
    ban.requireNone("reading");
  });
});
