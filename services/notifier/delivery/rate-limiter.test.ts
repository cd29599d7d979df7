import { createFakeBusServer, openFakeBus } from "#fakes/bus";
import { describe, expect, it } from "vitest";

import { type Claim, createRateLimiter, type RateLimiter } from "./rate-limiter.ts";

const everyMs = 5_000;

function makeTwo(): { readonly one: RateLimiter; readonly other: RateLimiter; readonly pass: (ms: number) => void } {
  const server = createFakeBusServer();
  let now = 1_000_000;
  const make = () => createRateLimiter(openFakeBus(server).bucket("status"), everyMs, () => now);
  return { one: make(), other: make(), pass: (ms) => void (now += ms) };
}

const [before, end, after] = [
  "2026-11-21T13:00:00.000Z",
  "2026-11-21T14:00:00.000Z",
  "2026-11-21T15:00:00.000Z",
] as const;

/** A state of an open run, or of an ended one. */
function claimOf(digest: string, hasEnded = false, asOf: string = before): Claim {
  const claim = { key: "slack.abc", digest, asOf };
  return hasEnded ? { ...claim, ended: end } : claim;
}

describe("edits of a message", () => {
  it("are made by one of all notifiers, at most every five seconds, and always show the last state", async () => {
    const { one, other, pass } = makeTwo();
    expect(await one.claim(claimOf("a"))).toBe("ours");
    expect(await other.claim(claimOf("b"))).toBe("later");
    pass(4_999);
    expect(await other.claim(claimOf("b"))).toBe("later");
    pass(1);
    expect(await other.claim(claimOf("b"))).toBe("ours");
    expect(await other.claim(claimOf("b"))).toBe("written");
  });

  it("are made by one of two at the same moment", async () => {
    const { one, other } = makeTwo();
    const outcomes = await Promise.all([one.claim(claimOf("a")), other.claim(claimOf("a"))]);
    expect(outcomes.toSorted()).toEqual(["later", "ours"]);
  });

  it("are repeated by a restarted notifier, because an earlier one may have died before its edit", async () => {
    const { one, other, pass } = makeTwo();
    await one.claim(claimOf("a"));
    pass(everyMs);
    expect(await other.claim(claimOf("a"))).toBe("ours");
  });

  it("show the end at once, and nothing older follows", async () => {
    const { one, other, pass } = makeTwo();
    await one.claim(claimOf("a"));
    expect(await other.claim(claimOf("end", true))).toBe("ours");
    pass(everyMs);
    expect(await one.claim(claimOf("b"))).toBe("written");
    expect(await other.claim(claimOf("end", true))).toBe("written");
  });

  it("wait for the interval when the end changes again", async () => {
    const { one, pass } = makeTwo();
    await one.claim(claimOf("end", true));
    expect(await one.claim(claimOf("end with the newest shares", true))).toBe("later");
    pass(everyMs);
    expect(await one.claim(claimOf("end with the newest shares", true))).toBe("ours");
  });

  it("are made again for a run that was reopened", async () => {
    const { one, other, pass } = makeTwo();
    await one.claim(claimOf("end", true));
    pass(everyMs);
    expect(await other.claim(claimOf("before the end"))).toBe("written");
    expect(await other.claim(claimOf("again", false, after))).toBe("ours");
    expect(await one.claim({ ...claimOf("second end", true), ended: after })).toBe("ours");
  });

  it("can be claimed again after a release", async () => {
    const { one, other } = makeTwo();
    await one.claim(claimOf("a"));
    await one.release("slack.abc");
    expect(await other.claim(claimOf("a"))).toBe("ours");
  });

  it("are delayed by at most one interval when the clock is set back", async () => {
    const { one, other, pass } = makeTwo();
    await one.claim(claimOf("a"));
    pass(-3_600_000);
    expect(await other.claim(claimOf("b"))).toBe("ours");
  });
});
