import { once } from "node:events";
import { request } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";

import { createProxyAgent } from "./proxy-agent.ts";

/** A proxy that answers each connection in this way; returns its address. */
async function openProxy(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    answer(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(proxy: string): Promise<unknown> {
  const agent = createProxyAgent(proxy, 150);
  const asked = request("https://k.example:6443/x", { agent });
  const [error] = (await once(asked.end(), "error").catch((caught: unknown) => [caught])) as unknown[];
  return error;
}

/** The header of a long TLS record. */
const record = "\x16\x03\x03\x3f\x7f";
const opened = "HTTP/1.1 200 OK\r\n\r\n";

/** A byte of a header every 10 ms, without an end. */
function trickle(socket: Socket, start: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write("x"), 10);
  socket.once("close", () => clearInterval(timer));
}

describe("a tunnel is given up after its time when the proxy", () => {
  const cases = [
    { name: "says nothing", answer: () => undefined },
    { name: "trickles its answer", answer: (socket: Socket) => trickle(socket, "HTTP/1.1 200 OK\r\nx-a: ") },
    {
      name: "opens it and lets the TLS handshake trickle",
      answer: (socket: Socket) => trickle(socket, opened + record),
    },
    { name: "opens it and says nothing more", answer: (socket: Socket) => void socket.write(opened) },
  ];
  it.each(cases)("$name", async ({ answer }) => {
    const error = await ask(await openProxy(answer));
    expect(String(error)).toMatch(/through the proxy 127.0.0.1:\d+ there is no connection within 150 ms/);
  });
});
