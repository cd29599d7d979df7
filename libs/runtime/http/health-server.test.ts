import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { createVirtualClock } from "#fakes/runtime";
import { describe, expect, it, onTestFinished } from "vitest";

import { createVitals } from "../service/vitals.ts";
import { startHealthServer } from "./health-server.ts";

async function open() {
  const vitals = createVitals(createVirtualClock());
  const server = await startHealthServer({ ...vitals, host: "127.0.0.1", port: 0, findObstacle: () => undefined });
  onTestFinished(async () => server.close());
  return { vitals, url: server.url };
}

/** This many connections that send `text`, read nothing, and stay open. */
async function connectMany(url: string, count: number, text: string): Promise<readonly Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.pause().write(text);
      return socket;
    }),
  );
}

describe("a probe is answered, with few open connections, while others", () => {
  const cases = [
    { name: "connect and say nothing", text: "" },
    { name: "do not end their headers", text: "GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: b" },
    { name: "promise a body", text: "POST /healthz HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nx" },
    { name: "keep their connection after an answer", text: "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n" },
  ];
  it.each(cases)("$name", async ({ text }) => {
    const { url } = await open();
    const sockets = await connectMany(url, 300, text);
    for (let time = 0; time < 3; time += 1) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    for (const socket of sockets) socket.resume();
    await expect.poll(() => sockets.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(128);
  });

  it("do not take their metrics", async () => {
    const { url, vitals } = await open();
    const rows = Array.from({ length: 50_000 }, (_, index) => [{ name: `${index}-${"x".repeat(140)}` }, 1] as const);
    vitals.metrics.ask("meshroll_test_rows", "Many", ["name"], () => rows);
    const cut: Promise<boolean>[] = [];
    const sockets: Socket[] = [];
    for (let count = 0; count < 6; count += 1) {
      const [socket] = await connectMany(url, 1, "GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n");
      if (socket === undefined) throw new Error("unreachable");
      await once(socket, "readable");
      sockets.push(socket);
    }
    for (const socket of sockets) {
      let text = "";
      const ended = new Promise<boolean>((resolve) => {
        socket.on("data", (part) => {
          text = text.slice(-10) + String(part);
          if (text.endsWith("\r\n0\r\n\r\n") || text.includes("# EOF")) resolve(false);
        });
        socket.once("close", () => resolve(true));
      });
      cut.push(ended);
    }
    const isCut = await Promise.all(cut);
    expect(isCut[0]).toBe(true);
    expect(isCut.at(-1)).toBe(false);
  });
});
