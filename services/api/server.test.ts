import { secret } from "#libs/runtime";
import { describe, expect, it } from "vitest";

import { deliver, openApi } from "./test-api.ts";

const fleet = (extra: object = {}) =>
  JSON.stringify({ apiVersion: "meshroll.dev/v1", kind: "FleetStatus", at: "x", wroteAt: Date.now(), ...extra });

describe("the status of the fleet", () => {
  it("is the object that the planner published, with its age", async () => {
    const { bus, clock, inject } = await openApi();
    const text = fleet({ state: "Idle" });
    await bus.bucket("status").put("fleet", text);
    await clock.advance(7_000);
    const answer = await inject("/v1/status");
    expect({ status: answer.statusCode, body: answer.body, age: answer.headers["age"] }).toEqual({
      status: 200,
      body: text,
      age: "7",
    });
  });

  it("of a planner that is silent for more than 30 s gives 503 with the last status", async () => {
    const { bus, clock, inject } = await openApi();
    await bus.bucket("status").put("fleet", fleet({ state: "Idle" }));
    await clock.advance(31_000);
    const answer = await inject("/v1/status");
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({
      error: "StatusStale",
      message: "the planner has written no status for 31 s: nothing new starts; look after the planner's process",
      ageSeconds: 31,
      last: { state: "Idle" },
    });
  });

  it("from before this process has the age by its writer's clock", async () => {
    const { bus, busServer, clock, inject } = await openApi();
    busServer.disconnect();
    busServer.connect();
    await clock.settle();
    await bus.bucket("status").put("fleet", fleet({ wroteAt: Date.now() - 60_000 }));
    // It changed just now by this process's clock; the writer's clock may be wrong.
    await clock.settle();
    expect((await inject("/v1/status")).statusCode).toBe(200);
    busServer.disconnect();
    busServer.connect();
    await clock.settle();
    expect((await inject("/v1/status")).json()).toMatchObject({ error: "StatusStale" });
  });

  it("is unknown while none was published", async () => {
    const { bus, clock, inject, busServer } = await openApi();
    await bus.bucket("status").put("fleet", "{ torn");
    await bus.bucket("status").put("fleet", '{"kind":"Other"}');
    await clock.settle();
    expect((await inject("/v1/status")).json()).toMatchObject({
      error: "StatusUnknown",
      message: "no planner has published a status on this bus: what the fleet does is not known here",
    });
    busServer.disconnect();
    expect((await inject("/v1/status")).json()).toMatchObject({
      message: "the bus does not answer: what the fleet does is not known here",
    });
  });

  it("stays, and grows old, when its bucket is wiped", async () => {
    const { bus, busServer, clock, inject } = await openApi();
    await bus.bucket("status").put("fleet", fleet());
    await clock.settle();
    busServer.wipe();
    await clock.advance(10_000);
    expect(await inject("/v1/status")).toMatchObject({ statusCode: 200, headers: { age: "10" } });
  });
});

describe("health", () => {
  it("is alive while the loop turns, and not when it hangs", async () => {
    const { clock, inject } = await openApi();
    expect(await inject("/healthz")).toMatchObject({ statusCode: 200 });
    await clock.advance(61_000);
    expect((await inject("/healthz")).json()).toMatchObject({ error: "Stuck" });
  });

  it("is ready while the bus answers", async () => {
    const { busServer, inject } = await openApi();
    expect(await inject("/readyz")).toMatchObject({ statusCode: 200 });
    busServer.disconnect();
    expect((await inject("/readyz")).json()).toMatchObject({ error: "BusUnavailable" });
  });
});

describe("every answer", () => {
  it.each(["/healthz", "/v1/status", "/metrics", "/nothing", "/%zz"])(
    "of %s has the headers of a careful server",
    async (url) => {
      const { inject } = await openApi();
      const { headers } = await inject({ url, headers: { origin: "https://evil.example" } });
      expect(headers).toMatchObject({
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    },
  );

  it.each([
    { name: "a caller's own request id", given: "trace-1_a", want: /^trace-1_a$/ },
    { name: "a new request id in place of an invalid one", given: "x; y", want: /^[0-9a-f-]{36}$/ },
  ])("carries $name", async ({ given, want }) => {
    const { inject } = await openApi();
    const { headers } = await inject({ url: "/nothing", headers: { "x-request-id": given } });
    expect(headers["x-request-id"]).toMatch(want);
  });

  it.each([
    { method: "GET" as const, url: "/nothing", want: 404 },
    { method: "POST" as const, url: "/v1/status", want: 404 },
    { method: "GET" as const, url: "/webhooks/github", want: 404 },
    { method: "GET" as const, url: "/%zz", want: 400 },
  ])("to $method $url is JSON with $want", async ({ method, url, want }) => {
    const { inject } = await openApi();
    const answer = await inject({ method, url });
    expect(answer.statusCode).toBe(want);
    expect(answer.json()).toMatchObject({ error: expect.any(String) as string, message: expect.any(String) as string });
  });

  it("is counted by its route, never by its path", async () => {
    const { inject } = await openApi();
    for (const url of ["/a", "/b", "/healthz"]) await inject(url);
    const { body } = await inject("/metrics");
    expect(body).toContain('meshroll_http_requests_total{route="none",status="404"} 2\n');
    expect(body).toContain('meshroll_http_requests_total{route="/healthz",status="200"} 1\n');
  });
});

it("contains no secret, like metrics and log lines", async () => {
  const token = secret().parse("Q7hW2mZk9TxR4vLb").reveal();
  const opened = await openApi();
  const tries = [
    { url: `/v1/status?access_token=${token}` },
    { url: `/${token}` },
    { url: `/%zz${token}` },
    { url: "/nothing", headers: { authorization: `Bearer ${token}`, "x-request-id": token } },
  ];
  const answers = [];
  for (const each of tries) answers.push(await opened.inject(each));
  answers.push(await deliver(opened, { body: `{"${token}`, headers: { "x-github-event": token } }));
  answers.push(await opened.inject("/metrics"));
  const said = answers.map(({ body }) => body).join("\n") + opened.lines.join("");
  expect(said).toContain("NotFound");
  expect(said).not.toContain(token);
});
