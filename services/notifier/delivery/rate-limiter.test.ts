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

/** The state of a run that is open, or of one that has ended. */
function claimOf(digest: string, hasEnded = false, asOf: string = before): Claim {
  const claim = { key: "slack.abc", digest, asOf };
  return hasEnded ? { ...claim, ended: end } : claim;
}

describe("who edits, and how often", () => {
  it("one of all notifiers, at most every five seconds, and the last state always", async () => {
    const { one, other, pass } = makeTwo();
    expect(await one.claim(claimOf("a"))).toBe("ours");
    expect(await other.claim(claimOf("b"))).toBe("later");
    pass(4_999);
    expect(await other.claim(claimOf("b"))).toBe("later");
    pass(1);
    expect(await other.claim(claimOf("b"))).toBe("ours");
    expect(await other.claim(claimOf("b"))).toBe("written");
  });

  it("of two at the same moment one", async () => {
    const { one, other } = makeTwo();
    const outcomes = await Promise.all([one.claim(claimOf("a")), other.claim(claimOf("a"))]);
    expect(outcomes.toSorted()).toEqual(["later", "ours"]);
  });

  it("one that restarts does not trust a claim: its owner may have died before the edit", async () => {
    const { one, other, pass } = makeTwo();
    await one.claim(claimOf("a"));
    pass(everyMs);
    expect(await other.claim(claimOf("a"))).toBe("ours");
  });

  it("the last state waits for no turn, and nothing comes after it", async () => {
    const { one, other, pass } = makeTwo();
    await one.claim(claimOf("a"));
    expect(await other.claim(claimOf("end", true))).toBe("ours");
    pass(everyMs);
    expect(await one.claim(claimOf("b"))).toBe("written");
    expect(await other.claim(claimOf("end", true))).toBe("written");
  });

  it("a second last state, once the status has followed, waits for its turn", async () => {
    const { one, pass } = makeTwo();
    await one.claim(claimOf("end", true));
    expect(await one.claim(claimOf("end with the newest shares", true))).toBe("later");
    pass(everyMs);
    expect(await one.claim(claimOf("end with the newest shares", true))).toBe("ours");
  });

  it("a run that was opened again after its end is shown again", async () => {
    const { one, other, pass } = makeTwo();
    await one.claim(claimOf("end", true));
    pass(everyMs);
    expect(await other.claim(claimOf("before the end"))).toBe("written");
    expect(await other.claim(claimOf("again", false, after))).toBe("ours");
    expect(await one.claim({ ...claimOf("second end", true), ended: after })).toBe("ours");
  });

  it("what was released may be claimed at once", async () => {
    const { one, other } = makeTwo();
    await one.claim(claimOf("a"));
    await one.release("slack.abc");
    expect(await other.claim(claimOf("a"))).toBe("ours");
  });

  it("a clock that was put back by an hour delays by one turn at most", async () => {
    const { one, other, pass } = makeTwo();
    await one.claim(claimOf("a"));
    pass(-3_600_000);
    expect(await other.claim(claimOf("b"))).toBe("ours");
  });
});
