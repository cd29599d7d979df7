import type { IncomingMessage } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { Duplex } from "node:stream";

import { type WebSocket, WebSocketServer } from "ws";

import type { KubeModel } from "#fakes/kube";

import { makeTestCertificate } from "../../libs/kube/cluster/test-certificate.ts";
import { decodeFields, encodeField, readText } from "../../libs/kube/istiods/protobuf.ts";
import { FIELDS, STATES, SYNC_TYPE } from "../../libs/kube/istiods/discovery.ts";
import { PORT_FORWARD_PROTOCOL } from "../../libs/kube/istiods/port-forward.ts";
import type { IstiodStatus, ProxyStatus } from "../../libs/kube/objects/mesh/proxy-status.ts";

/** The port for proxies of the model's istiods, behind the API server's port-forward. */
export interface IstiodServers {
  /** Speaks with a client whose WebSocket the API server lets through to this pod. */
  forward(request: IncomingMessage, socket: Duplex, head: Buffer, pod: string): void;
  close(): void;
}

/** As Kubernetes forwards one port: two channels, each of which begins with the port's number. */
const [dataChannel, errorChannel] = [0, 1];
/** A kubelet sends so many bytes at once. */
const messageBytes = 32 * 1024;

/** Sends the bytes in messages as long as a kubelet's. */
function sendAll(socket: WebSocket, bytes: Buffer, done: (error?: Error) => void): void {
  const rest = bytes.subarray(messageBytes);
  const next =
    rest.length === 0 ? done : (error?: Error) => (error === undefined ? sendAll(socket, rest, done) : done(error));
  say(socket, dataChannel, bytes.subarray(0, messageBytes), next);
}

function say(socket: WebSocket, channel: number, bytes: Uint8Array, done?: (error?: Error) => void): void {
  socket.send(Buffer.concat([Buffer.from([channel]), bytes]), (error) => done?.(error ?? undefined));
}

/** What the client of the forwarded port sends, and what it gets. */
function openChannel(socket: WebSocket): Duplex {
  const channel = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => sendAll(socket, chunk, done),
    destroy: (error, done) => {
      socket.terminate();
      done(error);
    },
  });
  socket.on("message", (message: Buffer) => void channel.push(message.subarray(1)));
  socket.on("close", () => channel.push(null));
  socket.on("error", () => channel.destroy());
  return channel;
}

function encodeProxy({ proxy, resources }: ProxyStatus): Buffer {
  const { client, config, failure, node, any, response } = FIELDS;
  const configs = resources.map(({ type, state, error }) => {
    const refused = error === undefined ? [] : [encodeField(config.error, encodeField(failure.details, error))];
    const parts = [encodeField(config.type, type), encodeField(config.status, STATES.indexOf(state)), ...refused];
    return encodeField(client.configs, Buffer.concat(parts));
  });
  const value = Buffer.concat([encodeField(client.node, encodeField(node.id, proxy)), ...configs]);
  const type = "type.googleapis.com/envoy.service.status.v3.ClientConfig";
  const packed = Buffer.concat([encodeField(any.type, type), encodeField(any.value, value)]);
  return encodeField(response.resources, packed);
}

function encodeStatus(pod: string, { version, proxies }: IstiodStatus): Buffer {
  const { response, controlPlane } = FIELDS;
  const identifier = JSON.stringify({ Component: "istiod", ID: pod, Info: { version } });
  const message = Buffer.concat([
    ...proxies.map(encodeProxy),
    encodeField(response.type, SYNC_TYPE),
    encodeField(response.controlPlane, encodeField(controlPlane.identifier, identifier)),
  ]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Ends the call with a status of gRPC and no message. */
function refuse(stream: ServerHttp2Stream, code: number, message: string): void {
  const status = { "grpc-status": String(code), "grpc-message": encodeURIComponent(message) };
  stream.respond({ ":status": 200, "content-type": "application/grpc", ...status }, { endStream: true });
}

interface Served {
  readonly pod: string;
  readonly model: KubeModel;
  readonly token: string;
}

function answer({ pod, model, token }: Served, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  if (headers.authorization !== `Bearer ${token}`) return refuse(stream, 16, "authentication failure");
  stream.once("data", (chunk: Buffer) => {
    const asked = readText(decodeFields(chunk.subarray(5)), FIELDS.request.type);
    const status = model.readIstiod(pod);
    if (asked !== SYNC_TYPE) return refuse(stream, 3, `no generator for ${asked}`);
    if (status === undefined) return refuse(stream, 14, "server is not ready to serve discovery information");
    if (status === "refused") return refuse(stream, 7, "the debug info is not available for current identity");
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    return void stream.write(encodeStatus(pod, status));
  });
}

/** One TLS server for a pod: its answers depend on which istiod it is. */
function createPodServer(served: Served, certificate: { readonly cert: string; readonly key: string }) {
  const server = createSecureServer(certificate);
  server.on("stream", (stream, headers) => {
    // The client ends the connection as soon as it has its answer.
    stream.on("error", () => undefined);
    answer(served, stream, headers);
  });
  server.on("sessionError", () => undefined);
  return server;
}

/** Serves the istiods of the model: each with a certificate that their webhooks know. */
export function serveIstiods(model: KubeModel, token: string): IstiodServers {
  const certificate = makeTestCertificate({ name: "*.istio-system.svc" });
  model.trustAuthority(certificate.cert);
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => PORT_FORWARD_PROTOCOL });
  const servers = new Map<string, Http2SecureServer>();
  const find = (pod: string): Http2SecureServer => {
    const server = servers.get(pod) ?? createPodServer({ pod, model, token }, certificate);
    servers.set(pod, server);
    return server;
  };
  return {
    forward: (request, raw, head, pod) => {
      sockets.handleUpgrade(request, raw, head, (socket) => {
        const port = Buffer.alloc(2);
        port.writeUInt16LE(Number(new URL(request.url ?? "/", "http://sandbox").searchParams.get("ports")));
        for (const channel of [dataChannel, errorChannel]) say(socket, channel, port);
        if (model.readIstiod(pod) !== undefined) return void find(pod).emit("connection", openChannel(socket));
        say(socket, errorChannel, Buffer.from(`error forwarding port to pod ${pod}: connect: connection refused`));
        return socket.close();
      });
    },
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      for (const server of servers.values()) server.close();
    },
  };
}
