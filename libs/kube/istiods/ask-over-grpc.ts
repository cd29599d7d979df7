import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect as connectTls, type TLSSocket } from "node:tls";

import { AnswerTooLarge, cleanText } from "#libs/runtime";

import type { IstiodTrust } from "../objects/mesh-facts.ts";

/** A call was ended by the server's status. */
export class GrpcRefused extends Error {
  override readonly name = "GrpcRefused";
  /** Code of gRPC: 7 = permission denied, 16 = unauthenticated. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const method = "/envoy.service.discovery.v3.AggregatedDiscoveryService/StreamAggregatedResources";
/** A message of gRPC begins with whether it is compressed, and its length in four bytes. */
const headBytes = 5;
const longestMessage = 300;
/** Bytes in flight: an answer of megabytes takes few round trips. */
const windowBytes = 4 * 1024 * 1024;

function frame(message: Uint8Array): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Undefined while the message is not whole. */
function readFrame(bytes: Buffer): Buffer | undefined {
  if (bytes.length < headBytes || bytes.length < headBytes + bytes.readUInt32BE(1)) return undefined;
  if (bytes[0] !== 0) throw new Error("the answer is compressed, which was not asked for");
  return bytes.subarray(headBytes, headBytes + bytes.readUInt32BE(1));
}

/** gRPC encodes all but printable ASCII by percent; a server that does not is shown as it is. */
function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refuse(headers: IncomingHttpHeaders): Error {
  const { "grpc-status": code, "grpc-message": message = "" } = headers;
  const said = cleanText(decodeMessage(String(message)), longestMessage);
  return new GrpcRefused(Number(code), said === "" ? `status ${String(code)} of gRPC` : said);
}

/** The first message that the server sends. */
async function readFirst(stream: ClientHttp2Stream, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [length, wanted] = [0, headBytes];
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (length < wanted) return;
      const bytes = Buffer.concat(chunks);
      wanted = headBytes + bytes.readUInt32BE(1);
      if (wanted > mostBytes) throw new AnswerTooLarge(mostBytes);
      const message = readFrame(bytes);
      if (message !== undefined) resolve(message);
    };
    stream.on("data", (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    // An answer without a message has its status in the first headers already.
    const judge = (headers: IncomingHttpHeaders) => headers["grpc-status"] !== undefined && reject(refuse(headers));
    stream.on("response", (headers) => {
      if (headers[":status"] === 200) judge(headers);
      else reject(new Error(`istiod answered ${String(headers[":status"])}`));
    });
    stream.on("trailers", judge);
    stream.on("error", reject);
    stream.on("close", () => reject(new Error("the stream ended without an answer")));
  });
}

async function secure(tunnel: Duplex, { serverName, authority }: IstiodTrust): Promise<TLSSocket> {
  const socket = connectTls({
    socket: tunnel,
    servername: serverName,
    ALPNProtocols: ["h2"],
    minVersion: "TLSv1.2",
    ...(authority === undefined ? {} : { ca: authority }),
  });
  tunnel.on("error", (error) => socket.destroy(error));
  // What breaks after the answer is of no interest, and may not end this process.
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  return socket;
}

export interface GrpcCall {
  readonly trust: IstiodTrust;
  readonly token: string;
  readonly message: Uint8Array;
  /** A longer answer is given up. */
  readonly mostBytes: number;
  /** For all of it, real ms. */
  readonly timeoutMs: number;
}

/** Resolves once the tunnel is over and what came through it was read. */
async function waitForEnd(tunnel: Duplex): Promise<void> {
  await new Promise((resolve) => {
    tunnel.once("end", resolve);
    tunnel.once("close", resolve);
  });
  await nextTurn();
}

async function failAtEnd(tunnel: Duplex): Promise<never> {
  await waitForEnd(tunnel);
  throw new Error("the connection ended without an answer");
}

/** Real ms that the other end has to close the connection as well. */
const closeMs = 1_000;

/**
 * Cancels the call and closes the connection, before the tunnel is cut: the far end of the tunnel may stay open, and then istiod would
 * count the caller among its proxies until its own pings fail, 30 s later.
 */
async function closeCall(tunnel: Duplex, session: ClientHttp2Session, stream: ClientHttp2Stream): Promise<void> {
  if (!tunnel.destroyed && !tunnel.readableEnded) {
    const late = setTimeout(() => tunnel.destroy(), closeMs);
    stream.close(constants.NGHTTP2_CANCEL);
    session.close();
    await waitForEnd(tunnel);
    clearTimeout(late);
  }
  // Node ends with SIGSEGV where a session over another stream is destroyed while it reads from it.
  await nextTurn();
  session.destroy();
  await nextTurn();
}

async function exchange(tunnel: Duplex, socket: TLSSocket, { token, message, mostBytes }: GrpcCall): Promise<Buffer> {
  // The authority is in no certificate: istiod does not look at it.
  const session = connectHttp("https://istiod", {
    createConnection: () => socket,
    settings: { initialWindowSize: windowBytes },
  });
  session.on("connect", () => session.setLocalWindowSize(windowBytes));
  const broken = Promise.race([new Promise<never>((_, reject) => session.on("error", reject)), failAtEnd(tunnel)]);
  const stream = session.request({
    ":method": "POST",
    ":path": method,
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${token}`,
  });
  stream.write(frame(message));
  try {
    return await Promise.race([readFirst(stream, mostBytes), broken]);
  } finally {
    broken.catch(() => undefined);
    await closeCall(tunnel, session, stream);
  }
}

/**
 * Sends one message of ADS over the tunnel, by TLS and HTTP/2, and answers with the first message that comes. Ends the tunnel.
 * Rejects with `GrpcRefused` for a status of istiod, with any other error for a connection that broke or was not trusted.
 */
export async function askOverGrpc(tunnel: Duplex, call: GrpcCall): Promise<Buffer> {
  const { timeoutMs } = call;
  const late = setTimeout(() => tunnel.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await exchange(tunnel, await secure(tunnel, call.trust), call);
  } finally {
    clearTimeout(late);
    tunnel.destroy();
  }
}
