import { once } from "node:events";
import type { AddressInfo } from "node:net";

import { describe, expect, it, onTestFinished } from "vitest";
import { type RawData, WebSocket, WebSocketServer } from "ws";

import { createPortStream, PORT_FORWARD_PROTOCOL } from "./port-forward.ts";

const portNumber = Buffer.from([0, 1, 2]);

/** The stream of a forwarded port, of a server that takes messages of at most 100 bytes and sends these, each with its channel. */
async function open(sent: readonly (readonly [channel: number, bytes: Buffer])[]) {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const heard: RawData[] = [];
  server.on("connection", (socket) => {
    for (const [channel, bytes] of sent) socket.send(Buffer.concat([Buffer.from([channel]), bytes]));
    socket.on("message", (data) => {
      heard.push(data);
      socket.close();
    });
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const socket = new WebSocket(url, PORT_FORWARD_PROTOCOL, { maxPayload: 100 });
  // As `openSocket` does: what arrives before the stream listens must not be lost.
  socket.once("open", () => socket.pause());
  await once(socket, "open");
  return { stream: createPortStream(socket), heard };
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += chunk.toString();
  return text;
}

describe("a forwarded port", () => {
  it("gives what comes in its first channel, without the port's number, and sends into it", async () => {
    const { stream, heard } = await open([
      [0, portNumber],
      [1, portNumber],
      [0, Buffer.from("a")],
      [0, Buffer.from("b")],
    ]);
    stream.write("question");
    expect(await readAll(stream)).toBe("ab");
    expect(heard.map(String)).toEqual(["\0question"]);
  });

  it("ends with what its second channel says", async () => {
    const { stream } = await open([
      [0, portNumber],
      [1, portNumber],
      [1, Buffer.from("connection refused")],
    ]);
    await expect(readAll(stream)).rejects.toThrow("connection refused");
  });

  it("ends with an error of the connection, and with no fault of ours, where a message is too long", async () => {
    const { stream } = await open([[0, Buffer.alloc(101)]]);
    const error: unknown = await readAll(stream).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "Error", message: "Max payload size exceeded" });
  });
});
