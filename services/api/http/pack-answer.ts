import { gzipSync } from "node:zlib";

import type { Answer, Call } from "./answer.ts";

/** Smaller answers do not shrink. */
const leastBytes = 1024;

/** Returns an answer, compressed for callers that accept it. */
export type Packed = (call: Pick<Call, "request">) => Answer;

/** Whether the caller accepts gzip; `q=0` means it does not. */
export function takesGzip({ request }: Pick<Call, "request">): boolean {
  const given = String(request.headers["accept-encoding"] ?? "").toLowerCase();
  return given.split(",").some((each) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/.test(each));
}

/** Compresses an answer once for many callers. */
export function packAnswer(answer: Answer): Packed {
  const plain = Buffer.from(answer.body);
  const headers = { ...answer.headers, vary: "accept-encoding" };
  const packed = plain.length < leastBytes ? undefined : gzipSync(plain, { level: 9 });
  return (call) =>
    packed === undefined || !takesGzip(call)
      ? { ...answer, body: plain, headers }
      : { ...answer, body: packed, headers: { ...headers, "content-encoding": "gzip" } };
}
