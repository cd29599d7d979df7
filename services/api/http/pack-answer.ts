import { gzipSync } from "node:zlib";

import type { Answer, Call } from "./answer.ts";

/** Smaller ones become hardly smaller. */
const leastBytes = 1024;

/** Gives an answer to a caller, packed for one that takes it so. */
export type Packed = (call: Pick<Call, "request">) => Answer;

/** True for a caller that takes gzip; `q=0` says that it does not. */
export function takesGzip({ request }: Pick<Call, "request">): boolean {
  const given = String(request.headers["accept-encoding"] ?? "").toLowerCase();
  return given.split(",").some((each) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(each));
}

/** Packs once what is answered many times. */
export function packAnswer(answer: Answer): Packed {
  const plain = Buffer.from(answer.body);
  const headers = { ...answer.headers, vary: "accept-encoding" };
  const packed = plain.length < leastBytes ? undefined : gzipSync(plain, { level: 9 });
  return (call) =>
    packed === undefined || !takesGzip(call)
      ? { ...answer, body: plain, headers }
      : { ...answer, body: packed, headers: { ...headers, "content-encoding": "gzip" } };
}
