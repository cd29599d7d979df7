import { Duplex } from "node:stream";

import type { WebSocket } from "ws";

import { cleanText } from "#libs/runtime";

import type { IstiodPod } from "../objects/mesh-facts.ts";

/** Subprotocol of Kubernetes whose messages begin with the number of a channel. */
export const PORT_FORWARD_PROTOCOL = "v4.channel.k8s.io";

/** Of the only port; the first message of each channel has the port's number, which tells nothing new. */
const [dataChannel, errorChannel] = [0, 1];
const mark = Buffer.from([dataChannel]);
const longestError = 300;

/** Path of a port of the pod, for a WebSocket. */
export function pathOfPort({ namespace, name }: Pick<IstiodPod, "namespace" | "name">, port: number): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/portforward?ports=${port}`;
}

/** The bytes of a forwarded port, out of an open socket of `pathOfPort`. What the kubelet says of a failure destroys it. */
export function createPortStream(socket: WebSocket): Duplex {
  const begun = new Set<number>();
  const stream = new Duplex({
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, done) => socket.send(Buffer.concat([mark, chunk]), done),
    final: (done) => {
      socket.close();
      done();
    },
    destroy: (error, done) => {
      socket.terminate();
      done(error);
    },
  });
  const hear = (message: Buffer): void => {
    const [channel = errorChannel] = message;
    if (!begun.has(channel)) begun.add(channel);
    else if (channel === errorChannel) stream.destroy(new Error(cleanText(message.toString("utf8", 1), longestError)));
    else if (!stream.push(message.subarray(1))) socket.pause();
  };
  socket.on("message", (message: Buffer) => hear(message));
  socket.on("close", () => stream.push(null));
  // `ws` reports what a server does wrong as a RangeError, which would count as a fault of ours.
  socket.on("error", ({ message }) => stream.destroy(new Error(message)));
  return stream;
}
