import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, it, onTestFinished } from "vitest";

import { askUrl } from "./ask-url.ts";
import { collectBytes } from "./collect-bytes.ts";

async function serve(answer: RequestListener): Promise<URL> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`);
}

const { signal } = new AbortController();

it("answers the head, then the body, with the headers that were given", async () => {
  const url = await serve(({ headers }, response) => response.end(`with ${headers["x-a"]?.toString() ?? "nothing"}`));
  const response = await askUrl(url, { headers: { "x-a": "b" }, signal });
  expect(response.statusCode).toBe(200);
  expect((await collectBytes(response as AsyncIterable<Buffer>, 100)).toString()).toBe("with b");
});

it("does not follow a redirect", async () => {
  const url = await serve((_request, response) => response.writeHead(302, { location: "/b" }).end());
  expect((await askUrl(url, { signal })).statusCode).toBe(302);
});

it.each([
  { name: "a kept connection is used again", fresh: undefined, want: 1 },
  { name: "a fresh one never", fresh: true as const, want: 2 },
])("$name", async ({ fresh, want }) => {
  const ports = new Set<number | undefined>();
  const url = await serve(({ socket }, response) => {
    ports.add(socket.remotePort);
    response.end("ok");
  });
  for (let times = 0; times < 2; times += 1) {
    const response = await askUrl(url, { signal, ...(fresh === undefined ? {} : { fresh }) });
    await collectBytes(response as AsyncIterable<Buffer>, 100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(ports.size).toBe(want);
});

it("rejects when it is aborted, and where nothing listens", async () => {
  const url = await serve(() => undefined);
  await expect(askUrl(url, { signal: AbortSignal.timeout(20) })).rejects.toThrow(/aborted/);
  await expect(askUrl(new URL("http://127.0.0.1:1/"), { signal })).rejects.toThrow("ECONNREFUSED");
});
