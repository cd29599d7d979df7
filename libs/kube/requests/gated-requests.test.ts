import { createVirtualClock } from "#fakes/runtime";
import { describe, expect, it } from "vitest";

import type { ApiCall } from "./api-call.ts";
import { gateWrites } from "./gated-requests.ts";
import { createRequestGate, LIST_RATE } from "./request-gate.ts";

const write: ApiCall = { method: "PATCH", path: "/apis/apps/v1/namespaces/shop/deployments/web" };
const cause: ApiCall = { method: "GET", path: "/api/v1/namespaces/shop/pods", isCause: true };
const throttled = { status: 429, body: {}, retryAfterMs: 60_000 };

/** What a 429 with Retry-After, given to this call alone, makes of the write after it. */
const cases: Readonly<Record<string, { readonly call: ApiCall; readonly want: number }>> = {
  "a write that is throttled holds up the writes after it": { call: { ...write, path: "/other" }, want: 429 },
  "a read that a decision needs does too": { call: { method: "GET", path: "/api/v1/configmaps" }, want: 429 },
  "a cause that is throttled holds up no undo": { call: cause, want: 200 },
  "an Event that is throttled holds up no move": {
    call: { method: "POST", path: "/events", isEvent: true },
    want: 200,
  },
  "an istiod that throttles its reader holds up nothing of its cluster": {
    call: { method: "GET", path: "/proxy", isPassedOn: true },
    want: 200,
  },
};

describe("what may hold up a write", () => {
  it.each(Object.entries(cases))("%s", async (_, { call, want }) => {
    const gate = createRequestGate(createVirtualClock());
    const send = gateWrites(gate, async ({ path }) => (path === call.path ? throttled : { status: 200, body: {} }));
    expect((await send(call)).status).toBe(429);
    expect((await send(write)).status).toBe(want);
  });

  it("causes are read at the rate of lists, wait shortly for it, and take nothing of the writes'", async () => {
    const clock = createVirtualClock();
    const sent: number[] = [];
    const send = gateWrites(createRequestGate(clock), async () => {
      sent.push(clock.monotonic());
      return { status: 200, body: {} };
    });
    const reads = Array.from({ length: 300 }, async () => send(cause));
    await clock.advance(1000);
    const refused = (await Promise.all(reads)).filter(({ status }) => status === 429);
    expect([sent.filter((at) => at === 0).length, sent.length]).toEqual([LIST_RATE.burst, LIST_RATE.burst + 25]);
    expect([refused.length, (await send(write)).status]).toEqual([175, 200]);
  });

  it("no cause is asked for within a pause that the server asked for", async () => {
    const gate = createRequestGate(createVirtualClock());
    gate.quieten(7000);
    const send = gateWrites(gate, async () => ({ status: 200, body: {} }));
    expect(await send(cause)).toMatchObject({ status: 429, retryAfterMs: 7000 });
  });
});
