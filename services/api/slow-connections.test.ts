import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";

import { deliver, openApi, push, sign } from "./test-api.ts";

/** This many connections that send `text` and then nothing. */
async function openSlow(url: string, count: number, text: string): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.write(text);
      return socket;
    }),
  );
}

const head = (length: number): string =>
  [
    "POST /webhooks/github HTTP/1.1",
    "host: x",
    "content-type: application/json",
    `x-hub-signature-256: ${sign("guessed", "no secret of ours")}`,
    `content-length: ${length}`,
  ].join("\r\n");

describe("a real delivery is accepted while others", () => {
  const cases = [
    { name: "start a body and stop sending", count: 300, text: `${head(100)}\r\n\r\n{"a` },
    {
      name: "announce five megabytes each and stop sending",
      count: 300,
      text: `${head(5 * 1024 * 1024)}\r\n\r\n${"x".repeat(1000)}`,
    },
    { name: "never finish their headers", count: 600, text: head(100) },
    { name: "connect and send nothing", count: 600, text: "" },
  ];

  it.each(cases)("$name", async ({ count, text }) => {
    const opened = await openApi();
    await openSlow(opened.url, count, text);
    for (let time = 0; time < 20; time += 1) expect((await deliver(opened, {})).statusCode).toBe(202);
  });
});

it("a delivery on a reused connection is accepted, and a reader of events stays connected", async () => {
  const opened = await openApi();
  const { hostname, port } = new URL(opened.url);
  const reader = connect(Number(port), hostname);
  onTestFinished(() => void reader.destroy());
  reader.write("GET /v1/events HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(reader, "data");
  await openSlow(opened.url, 1_100, "");
  expect((await deliver(opened, { body: push })).statusCode).toBe(202);
  expect(reader.destroyed).toBe(false);
  expect(reader.readableEnded).toBe(false);
});
