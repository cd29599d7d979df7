import { connect } from "node:net";
import { expect, it } from "vitest";

import { openApi } from "./test-api.ts";

const targets = [
  "/..",
  "..",
  "/../..",
  "/%2e%2e/x",
  "/%2E%2E%2Fx",
  "//",
  "///",
  "//h/..",
  "/v1/../x",
  "/v1/../v1/status",
  "/v1/..",
  "/page/..",
  "/page/%2e%2e",
  "/page/../../package.json",
  "/page/%",
  "/namespaces/..",
  "/namespaces/%2e%2e",
  "/runs/%c0%ae",
  "http://h/..",
  "http://h/%",
  "http://",
  "http:",
  "*",
  "x",
  "?",
  "/?%",
  "/v1/namespaces?since=%",
  "/v1/status?=&&%zz",
  "/%",
  "/%zz",
  "/%ff",
  "/\u00ff",
  `/${"../".repeat(2000)}`,
  `/${"a".repeat(100_000)}`,
  "[::1",
  "/\\..\\..",
  "/__proto__",
  "/constructor",
];
const requests = [
  ...["GET", "POST", "HEAD", "OPTIONS", "TRACE"].flatMap((method) =>
    targets.map((target) => `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
  ),
  ...["", " ", "..", "%", "[", "[::1", "[]:1", "a:b:c", "a/../b", "\u00ff", "."].map(
    (host) => `GET /v1/../x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  ),
  ...["..", "http://", "http://[", "null", "%", "a:b"].map(
    (origin) => `GET /.. HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nConnection: close\r\n\r\n`,
  ),
  "GET /.. HTTP/1.1\r\nConnection: close\r\n\r\n",
  "GET /.. HTTP/1.0\r\n\r\n",
  "GET  HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET /.. HTTP/9.9\r\nHost: x\r\n\r\n",
  "GET /..\r\n\r\n",
  "\u0000\u0001\r\n\r\n",
  "GET /.. HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n",
  "GET /.. HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n",
  "GET /.. HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n",
  "POST /.. HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
];

/** The answer until the server closes the connection. */
async function exchange(base: string, text: string): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  let got = "";
  socket.setEncoding("latin1").on("data", (part: string) => (got += part));
  const ended = new Promise((resolve) => {
    socket.once("close", resolve);
  });
  socket.write(text, "latin1");
  await ended;
  return got;
}

it("any text in place of a path is answered, and the next request is served", { timeout: 60_000 }, async () => {
  const { url, inject } = await openApi();
  const odd: string[] = [];
  for (const text of requests) {
    const status = /^(?:HTTP\/1\.1 100 .*\r\n\r\n)?HTTP\/1\.1 (\d{3}) /.exec(await exchange(url, text))?.[1] ?? "none";
    odd.push(`${status} ${JSON.stringify(text.slice(0, 60))}`);
  }
  expect(odd.filter((each) => !/^(?:200|400|403|404|417|421|431|503) /.test(each))).toEqual([]);
  expect((await inject("/healthz")).statusCode).toBe(200);
});
