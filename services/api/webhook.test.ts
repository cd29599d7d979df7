import { describe, expect, it } from "vitest";

import { deliver, openApi, previous, push, sign } from "./test-api.ts";

const form = new URLSearchParams({ payload: push }).toString();
const formType = { "content-type": "application/x-www-form-urlencoded" };

describe("a delivery of GitHub", () => {
  const accepted = [
    { name: "as JSON", sent: {}, wantHints: 1 },
    { name: "as a form", sent: { body: form, headers: formType }, wantHints: 1 },
    {
      name: "signed by the previous secret",
      sent: { headers: { "x-hub-signature-256": sign(push, previous) } },
      wantHints: 1,
    },
    { name: "of an event that is not used", sent: { headers: { "x-github-event": "star" } }, wantHints: 0 },
    { name: "with a charset", sent: { headers: { "content-type": "application/json; charset=utf-8" } }, wantHints: 1 },
  ];
  it.each(accepted)("$name is accepted and makes $wantHints hints", async ({ sent, wantHints }) => {
    const opened = await openApi();
    const answer = await deliver(opened, sent);
    await opened.clock.settle();
    expect({ status: answer.statusCode, hints: opened.hints().length }).toEqual({ status: 202, hints: wantHints });
  });

  it("leaves only a hint on the bus", async () => {
    const opened = await openApi();
    await deliver(opened, {});
    await opened.clock.settle();
    const hint = JSON.parse(opened.hints()[0]?.body ?? "{}") as { readonly data: unknown };
    expect(hint.data).toEqual({ main: true, pulls: true });
  });

  const secretInUrl = "abc";
  const refused = [
    { name: "without a signature", sent: { headers: { "x-hub-signature-256": "" } }, want: 401, counted: "unsigned" },
    {
      name: "with a SHA-1 signature only",
      sent: { headers: { "x-hub-signature-256": "", "x-hub-signature": "sha1=00" } },
      want: 401,
      counted: "unsigned",
    },
    {
      name: "signed with another secret",
      sent: { headers: { "x-hub-signature-256": sign(push, secretInUrl) } },
      want: 401,
      counted: "forged",
    },
    {
      name: "whose body was changed",
      sent: { body: `${push} `, headers: { "x-hub-signature-256": sign(push) } },
      want: 401,
      counted: "forged",
    },
    { name: "that is not JSON", sent: { body: "{", headers: {} }, want: 400, counted: "malformed" },
    {
      name: "that is a form without a payload",
      sent: { body: "a=b", headers: formType },
      want: 400,
      counted: "malformed",
    },
  ];
  it.each(refused)(
    "$name is refused with $want, counted as $counted, and makes no hint",
    async ({ sent, want, counted }) => {
      const opened = await openApi();
      const answer = await deliver(opened, sent);
      await opened.clock.settle();
      expect({ status: answer.statusCode, hints: opened.hints() }).toEqual({ status: want, hints: [] });
      const { text } = await opened.vitals.metrics.print();
      expect(text).toContain(`meshroll_webhooks_total{outcome="${counted}"} 1\n`);
    },
  );

  it.each([
    { name: "an empty body", sent: { body: "" }, want: 401 },
    { name: "a body of another type", sent: { headers: { "content-type": "text/plain" } }, want: 415 },
    { name: "a body without a type", sent: { headers: { "content-type": "" } }, want: 415 },
    { name: "a body of more than 5 MiB", sent: { body: " ".repeat(5 * 1024 * 1024 + 1) }, want: 413 },
  ])("$name is refused with $want", async ({ sent, want }) => {
    const opened = await openApi();
    const answer = await deliver(opened, sent);
    expect(answer.statusCode).toBe(want);
    expect(answer.json()).toMatchObject({
      error: expect.any(String) as string,
      requestId: expect.any(String) as string,
    });
  });

  it("without a configured secret every delivery is refused", async () => {
    const opened = await openApi({ webhookSecrets: [] });
    const answer = await deliver(opened, { headers: { "x-hub-signature-256": sign(push, "") } });
    expect(answer.statusCode).toBe(503);
    expect(answer.body).toContain("set MESHROLL_GITHUB_WEBHOOK_SECRET");
  });

  it("is answered while the bus is down", async () => {
    const opened = await openApi();
    opened.busServer.disconnect();
    expect((await deliver(opened, {})).statusCode).toBe(202);
  });

  it("replayed a thousand times at once costs two hints", async () => {
    const opened = await openApi();
    for (let count = 0; count < 1_000; count += 1) await deliver(opened, {});
    await opened.clock.advance(99);
    expect(opened.hints()).toHaveLength(1);
    await opened.clock.advance(1_000);
    expect(opened.hints()).toHaveLength(2);
  });
});
