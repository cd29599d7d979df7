import { describe, expect, it } from "vitest";

import { ScmUnavailable } from "../port/errors.ts";
import { createLimits } from "./limits.ts";

const [second, minute] = [1000, 60_000];
const date = Date.UTC(2026, 10, 20, 9, 50);

/** The headers of an answer ten minutes before the hour ends. */
function answerWith(remaining: number, more: Readonly<Record<string, string>> = {}): Headers {
  return new Headers({
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String((date + 10 * minute) / 1000),
    "x-ratelimit-resource": "core",
    date: new Date(date).toUTCString(),
    ...more,
  });
}

function openLimits() {
  let clock = 0;
  const limits = createLimits("GitHub", () => clock);
  const ask = (): ScmUnavailable | "sent" => {
    try {
      limits.requireLeave("reading");
      return "sent";
    } catch (error) {
      return error as ScmUnavailable;
    }
  };
  return {
    limits,
    at: (ms: number) => void (clock = ms),
    ask,
    askUrgently: async () => limits.urgently(async () => Promise.resolve().then(ask)),
  };
}

describe("the last requests of an hour", () => {
  it("are for urgent calls alone, until the hour ends by GitHub's clock", async () => {
    const { limits, at, ask, askUrgently } = openLimits();
    limits.noteAnswer(answerWith(500));
    expect(ask()).toBe("sent");
    limits.noteAnswer(answerWith(499));
    const kept = { kind: "rest", left: 499, limit: 5000 };
    expect(ask()).toMatchObject({ name: "ScmUnavailable", retryAfterMs: 10 * minute, kept });
    expect(await askUrgently()).toBe("sent");
    at(10 * minute - 1);
    expect(ask()).toMatchObject({ retryAfterMs: 1 });
    at(10 * minute);
    expect(ask()).toBe("sent");
  });

  it.each([
    { name: "GraphQL's limit", headers: answerWith(0, { "x-ratelimit-resource": "graphql" }) },
    { name: "a server without limits", headers: new Headers() },
    { name: "an hour that is over", headers: answerWith(0, { date: new Date(date + 11 * minute).toUTCString() }) },
    { name: "headers without sense", headers: answerWith(0, { "x-ratelimit-reset": "soon" }) },
  ])("are not found in $name", ({ headers }) => {
    const { limits, ask } = openLimits();
    limits.noteAnswer(headers);
    expect(ask()).toBe("sent");
  });

  it("are kept for little more than an hour, whatever end an answer names", () => {
    const { limits, ask, at } = openLimits();
    limits.noteAnswer(answerWith(3, { "x-ratelimit-reset": "99999999999" }));
    at(65 * minute);
    expect(ask()).toBe("sent");
  });
});

describe("a ban", () => {
  it("is one of all calls and of each request of those that were begun; after it urgent calls go first", async () => {
    const { limits, at, ask, askUrgently } = openLimits();
    limits.startBan(90 * second);
    at(90 * second - 1);
    expect([ask(), await askUrgently()]).toMatchObject([
      { retryAfterMs: 1, kept: undefined },
      { retryAfterMs: 1, kept: undefined },
    ]);
    expect(() => limits.requireNoBan()).toThrow(ScmUnavailable);
    at(90 * second);
    limits.requireNoBan();
    expect([ask(), await askUrgently()]).toMatchObject([
      { retryAfterMs: 30 * second, kept: { kind: "headStart" } },
      "sent",
    ]);
    at(120 * second);
    expect(ask()).toBe("sent");
  });
});
