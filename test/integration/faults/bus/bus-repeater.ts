import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A NATS whose messages get lost, come twice and overtake each other on their way to the clients. */
export interface BusRepeater {
  readonly url: string;
  /** How many messages it lost, doubled and reordered. */
  readonly done: { lost: number; doubled: number; reordered: number };
  close(): Promise<void>;
}

/** One unit of the server's protocol: a line, and a payload after MSG and HMSG. */
interface Frame {
  readonly bytes: Buffer;
  /** A message of a stream or of a subject without a caller that waits for the answer: what may get lost. */
  readonly isNews: boolean;
}

const newline = Buffer.from("\r\n");

/** Cuts what the server sends into frames; answers what is not whole yet. */
function cut(buffer: Buffer, onFrame: (frame: Frame) => void): Buffer {
  let rest = buffer;
  for (;;) {
    const end = rest.indexOf(newline);
    if (end === -1) return rest;
    const words = rest.subarray(0, end).toString().split(" ");
    const isMessage = words[0] === "MSG" || words[0] === "HMSG";
    const length = end + 2 + (isMessage ? Number(words.at(-1)) + 2 : 0);
    if (rest.length < length) return rest;
    // Answers to requests come to an inbox without a reply subject: losing those is an outage, which is another fault.
    const isDelivery = words.some((word) => word.startsWith("$JS.ACK."));
    const isNews = isMessage && (isDelivery || /^meshroll\.\w+\.kept\./.test(words[1] ?? ""));
    onFrame({ bytes: Buffer.from(rest.subarray(0, length)), isNews });
    rest = rest.subarray(length);
  }
}

type Mischief = "lose" | "double" | "hold" | "pass";

/** Every tenth is lost, every tenth comes twice, every tenth is overtaken by the next one. */
function choose(random: () => number): Mischief {
  const drawn = random();
  if (drawn < 0.1) return "lose";
  if (drawn < 0.2) return "double";
  return drawn < 0.3 ? "hold" : "pass";
}

function relay(server: Socket, client: Socket, random: () => number, done: BusRepeater["done"]): void {
  let rest: Buffer = Buffer.alloc(0);
  let held: Buffer | undefined;
  const send = ({ bytes, isNews }: Frame): void => {
    const mischief = isNews ? choose(random) : "pass";
    if (mischief === "lose") done.lost += 1;
    else if (mischief === "hold" && held === undefined) {
      held = bytes;
      done.reordered += 1;
      return;
    } else client.write(bytes);
    if (mischief === "double") {
      done.doubled += 1;
      client.write(bytes);
    }
    if (held !== undefined && isNews) {
      client.write(held);
      held = undefined;
    }
  };
  server.on("data", (data) => {
    rest = cut(Buffer.concat([rest, data]), send);
  });
  client.on("data", (data) => void server.write(data));
}

/** Stands between clients and the NATS at `target`; what it does to messages follows from `random` and their order. */
export async function startBusRepeater(target: string, random: () => number): Promise<BusRepeater> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const done = { lost: 0, doubled: 0, reordered: 0 };
  const listener = createServer((client) => {
    const server = connect({ host: hostname, port: Number(port) });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    relay(server, client, random, done);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    url: `nats://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    done,
    close: async () => {
      const closed = once(listener, "close");
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
