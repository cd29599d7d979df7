import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { once } from "node:events";
import { Duplex, duplexPair } from "node:stream";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { makeTestCertificate } from "../cluster/test-certificate.ts";
import { askOverGrpc } from "./ask-over-grpc.ts";

const name = "istiod.istio-system.svc";
const certificate = makeTestCertificate({ name });
const ok = { ":status": 200, "content-type": "application/grpc" } as const;

function frame(text: string, flag = 0): Buffer {
  const head = Buffer.from([flag, 0, 0, 0, 0]);
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, Buffer.from(text)]);
}

type Serve = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** A tunnel like those of some kubelets: when it is destroyed, the connection behind it stays open. */
function keepOpen(near: Duplex): Duplex {
  const tunnel = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, encoding, done) => void near.write(chunk, encoding, done),
    final: (done) => done(),
  });
  near.on("data", (chunk: Buffer) => tunnel.push(chunk));
  near.on("end", () => tunnel.push(null));
  return tunnel;
}

interface Change {
  readonly serverName?: string;
  readonly authority?: string;
  readonly wrap?: (near: Duplex) => Duplex;
}

/** Asks a server that is on the other end of the tunnel. */
async function ask(serve: Serve, { wrap = (near) => near, ...change }: Change = {}) {
  const [near, far] = duplexPair();
  const server = createSecureServer(certificate);
  // Each end may see the other one go first.
  for (const event of ["tlsClientError", "sessionError"]) server.on(event, () => undefined);
  far.on("error", () => undefined);
  server.on("stream", (stream, headers) => {
    stream.on("error", () => undefined);
    serve(stream, headers);
  });
  onTestFinished(() => void server.close());
  server.emit("connection", far);
  const trust = { serverName: name, authority: certificate.cert, ...change };
  return askOverGrpc(wrap(near), { trust, token: "t", message: Buffer.from("?"), mostBytes: 100, timeoutMs: 30_000 });
}

const silence: Serve = () => undefined;

describe("one question by gRPC", () => {
  it("is answered by the first message, however it is cut", async () => {
    const answer = await ask((stream, { authorization, ":path": path }) => {
      stream.respond(ok);
      const bytes = Buffer.concat([frame(`${authorization} ${path?.split("/").at(-1)}`), frame("more")]);
      stream.write(bytes.subarray(0, 3));
      stream.write(bytes.subarray(3, 9));
      stream.write(bytes.subarray(9));
    });
    expect(answer.toString()).toBe("Bearer t StreamAggregatedResources");
  });

  it("is over for istiod too, also where the connection to it stays open: else it would count as a proxy", async () => {
    const over: Promise<unknown>[] = [];
    const answer = ask(
      (stream) => {
        if (stream.session === undefined) throw new Error("no session");
        over.push(once(stream, "close"), once(stream.session, "close"));
        stream.respond(ok);
        stream.write(frame("yes"));
      },
      { wrap: keepOpen },
    );
    expect((await answer).toString()).toBe("yes");
    await Promise.all(over);
    expect(over).toHaveLength(2);
  });

  const faults: readonly (readonly [string, Serve, RegExp])[] = [
    [
      "a status instead of an answer",
      (stream) => stream.respond({ ...ok, "grpc-status": "7", "grpc-message": "not%20for you" }, { endStream: true }),
      /^not for you$/u,
    ],
    [
      "a status after the headers, in no good encoding",
      (stream) => {
        stream.respond(ok, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "14", "grpc-message": "100% busy" }));
        stream.end();
      },
      /^100% busy$/u,
    ],
    [
      "a status without words",
      (stream) => stream.respond({ ...ok, "grpc-status": "2" }, { endStream: true }),
      /^status 2/u,
    ],
    ["a page of another server", (stream) => stream.respond({ ":status": 404 }, { endStream: true }), /answered 404/u],
    [
      "an answer that ends early",
      (stream) => (stream.respond(ok), void stream.end(Buffer.from([0, 0]))),
      /without an answer/u,
    ],
    [
      "an answer that is too long",
      (stream) => (stream.respond(ok), void stream.write(frame("x".repeat(200)))),
      /longer than/u,
    ],
    ["a compressed answer", (stream) => (stream.respond(ok), void stream.write(frame("x", 1))), /compressed/u],
    ["a stream that is cut", (stream) => stream.close(8), /without an answer|closed/u],
    ["a connection that is cut", (stream) => stream.session?.destroy(), /./u],
  ];
  it.each(faults)("%s is an error", async (_, serve, message) => {
    await expect(ask(serve)).rejects.toThrow(message);
  });

  it("many refusals, one after the other, end no process: a session is not destroyed while it is read", async () => {
    const refuse: Serve = (stream) => stream.respond({ ...ok, "grpc-status": "7" }, { endStream: true });
    for (let count = 0; count < 300; count++) await expect(ask(refuse)).rejects.toThrow("status 7");
  });

  it("a certificate of another authority, or for another name, is not trusted", async () => {
    await expect(ask(silence, { authority: makeTestCertificate({ name }).cert })).rejects.toThrow(
      /self-signed|signature/u,
    );
    await expect(ask(silence, { serverName: "istiod-b.istio-system.svc" })).rejects.toThrow(/altnames/u);
    await expect(ask(silence, { authority: "no PEM" })).rejects.toThrow(/./u);
  });

  it("a server that says nothing is given up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = ask(silence);
    vi.advanceTimersByTime(30_000);
    await expect(asked).rejects.toThrow("no answer within 30000 ms");
  });
});
