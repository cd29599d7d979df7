import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";

import { isApiAddress, openApiClient } from "./api-client.ts";

interface Seen {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

async function serve(answer: (response: ServerResponse) => void) {
  const seen: Seen[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = "";
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
    seen.push({ path: request.url, authorization: request.headers.authorization, body });
    answer(response);
  };
  const server = createServer((request, response) => void take(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const stop = new AbortController();
  onTestFinished(() => {
    stop.abort();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { seen, client: openApiClient(`http://127.0.0.1:${port}/mesh`, stop.signal), stop };
}

const json = (status: number, value: object) => (response: ServerResponse) =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

describe("the api's routes", () => {
  it("are below the address, with the token as a bearer", async () => {
    const { client, seen } = await serve(json(200, { credential: "c", tag: "1-25-2", pollSeconds: 30 }));
    expect(await client.register("join", { name: "vm-1", address: "10.0.0.7" })).toMatchObject({
      kind: "answered",
      value: { credential: "c" },
    });
    expect(await client.report("own", "{}")).toMatchObject({ kind: "answered", value: { tag: "1-25-2" } });
    expect(seen).toEqual([
      {
        path: "/mesh/v1/vms/register",
        authorization: "Bearer join",
        body: '{"name":"vm-1","address":"10.0.0.7"}',
      },
      { path: "/mesh/v1/vms/report", authorization: "Bearer own", body: "{}" },
    ]);
  });

  const answers = [
    { name: "no tag", answer: json(200, { tag: null, pollSeconds: 30 }), want: { kind: "answered" } },
    {
      name: "a field that is new",
      answer: json(200, { tag: null, pollSeconds: 30, more: 1 }),
      want: { kind: "answered" },
    },
    { name: "a poll of 0 seconds", answer: json(200, { tag: null, pollSeconds: 0 }), want: { kind: "silent" } },
    { name: "a page of a proxy", answer: (to: ServerResponse) => void to.end("<html>"), want: { kind: "silent" } },
    {
      name: "an endless page",
      answer: (to: ServerResponse) => void to.end("x".repeat(1 << 20)),
      want: { kind: "silent" },
    },
    { name: "nothing", answer: (to: ServerResponse) => void to.destroy(), want: { kind: "silent" } },
    {
      name: "a redirect",
      answer: (to: ServerResponse) => void to.writeHead(302, { location: "/v1/vms/elsewhere" }).end(),
      want: { kind: "silent" },
    },
    { name: "503", answer: json(503, { error: "BusUnavailable", message: "m" }), want: { kind: "silent" } },
    { name: "429", answer: json(429, {}), want: { kind: "silent" } },
    {
      name: "409",
      answer: json(409, { error: "NameInUse", message: "another machine" }),
      want: { kind: "refused", status: 409, why: "it answers 409 NameInUse: another machine" },
    },
    { name: "401", answer: json(401, {}), want: { kind: "refused", status: 401, why: "it answers 401" } },
    { name: "404", answer: json(404, {}), want: { kind: "refused", status: 404 } },
  ];
  it.each(answers)("$name: $want.kind", async ({ answer, want }) => {
    const { client, seen } = await serve(answer);
    expect(await client.report("own", "{}")).toMatchObject(want);
    expect(seen.length).toBe(1);
  });

  it("a request ends with the agent", async () => {
    const { client, seen, stop } = await serve(() => undefined);
    const asked = client.report("own", "{}");
    await expect.poll(() => seen.length).toBe(1);
    stop.abort();
    expect(await asked).toMatchObject({ kind: "silent" });
  });
});

describe("an address of the api", () => {
  const cases = [
    { text: "https://meshroll.example.com", want: true },
    { text: "https://meshroll.example.com/mesh/", want: true },
    { text: "http://127.0.0.1:8080", want: true },
    { text: "http://meshroll.example.com", want: false },
    { text: "https://me:secret@meshroll.example.com", want: false },
    { text: "https://meshroll.example.com?x=1", want: false },
    { text: "ftp://meshroll.example.com", want: false },
    { text: "meshroll.example.com", want: false },
  ];
  it.each(cases)("$text: $want", ({ text, want }) => {
    expect(isApiAddress(text)).toBe(want);
  });
});
