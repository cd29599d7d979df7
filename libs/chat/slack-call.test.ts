import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";

import { describe, expect, it, onTestFinished } from "vitest";

import { createSlackCall } from "./slack-call.ts";

/** A server in Slack's place; answers its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function callAnswered(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  const apiUrl = await serve((_request, response) => void response.writeHead(status, headers).end(body));
  return createSlackCall({ token: "xoxb-secret", apiUrl })("chat.postMessage").catch((error: unknown) => error);
}

describe("an answer of Slack", () => {
  const cases = [
    { name: "is given whole", status: 200, body: '{"ok":true,"ts":"1.2"}', want: { ok: true, ts: "1.2" } },
    {
      name: "that refuses has its word, the scope and the details",
      status: 200,
      body: '{"ok":false,"error":"missing_scope","needed":"chat:write","response_metadata":{"messages":["a"]}}',
      want: { name: "SlackRefusal", word: "missing_scope", needed: "chat:write", details: ["a"] },
    },
    { name: "without ok is refused", status: 200, body: "{}", want: { name: "SlackRefusal", word: "unknown" } },
    { name: "that is a page is none", status: 200, body: "<html>", want: { name: "SlackAnswerBroken" } },
    { name: "that is a list is none", status: 200, body: "null", want: { name: "SlackAnswerBroken" } },
    { name: "of a proxy has its status", status: 502, body: "", want: { message: "Slack answered 502" } },
    {
      name: "about the rate says for how long",
      status: 429,
      body: "",
      headers: { "retry-after": "30" },
      want: { name: "SlackRateLimited", retryAfter: 30 },
    },
    {
      name: "of nine megabytes is none",
      status: 200,
      body: `{"ok":true,"x":"${"y".repeat(9 * 1024 * 1024)}"}`,
      want: { name: "AnswerTooLarge" },
    },
    {
      name: "about the rate that says a year is queried again after an hour",
      status: 429,
      body: "",
      headers: { "retry-after": "31536000" },
      want: { name: "SlackRateLimited", retryAfter: 3600 },
    },
    { name: "about the rate may not say for how long", status: 429, body: "", want: { retryAfter: undefined } },
  ];
  it.each(cases)("$name", async ({ status, body, headers, want }) => {
    expect(await callAnswered(status, body, headers)).toMatchObject(want);
  });

  it("has no token in its errors", async () => {
    const errors = [await callAnswered(200, "{}"), await callAnswered(500, ""), await callAnswered(429, "")];
    expect(errors.map((error) => (error as Error).name)).toEqual([
      "SlackRefusal",
      "SlackAnswerBroken",
      "SlackRateLimited",
    ]);
    expect(inspect(errors, { depth: 10, showHidden: true })).not.toContain("secret");
  });
});

it("arguments go as a form, what is no text as JSON, what is absent not at all", async () => {
  let got = "";
  const apiUrl = await serve((request, response) => {
    const { "content-type": type, authorization: auth } = request.headers;
    request.on("data", (chunk: Buffer) => void (got += chunk.toString()));
    request.on("end", () => void response.end(JSON.stringify({ ok: true, type, auth })));
  });
  const call = createSlackCall({ token: "xoxb-1", apiUrl: `${apiUrl}/` });
  const answer = await call("chat.update", { text: "a & b", limit: 2, blocks: [{ a: 1 }], cursor: undefined });
  expect(answer).toMatchObject({
    type: expect.stringContaining("x-www-form-urlencoded") as string,
    auth: "Bearer xoxb-1",
  });
  expect(Object.fromEntries(new URLSearchParams(got))).toEqual({ text: "a & b", limit: "2", blocks: '[{"a":1}]' });
});

it.each([301, 302, 307, 308])("a redirect is not followed, and the other host hears nothing: %d", async (status) => {
  const heard: string[] = [];
  const other = await serve((request, response) => {
    heard.push(request.url ?? "");
    response.end('{"ok":true}');
  });
  const apiUrl = await serve((request, response) => {
    response.writeHead(status, { location: `${other}${request.url}` }).end();
  });
  await expect(createSlackCall({ token: "t", apiUrl })("auth.test")).rejects.toThrow(`Slack answered ${status}`);
  expect(heard).toEqual([]);
});

it("a server that says nothing is given up", async () => {
  const apiUrl = await serve(() => undefined);
  await expect(createSlackCall({ token: "t", apiUrl, timeoutMs: 50 })("auth.test")).rejects.toThrow(/timeout/);
});
