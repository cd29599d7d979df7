import type { IncomingMessage } from "node:http";

import { createEvictingSet } from "#libs/runtime";

/** The body cannot be read: by its caller's fault, or because newer requests needed the room. */
export class BodyRefused extends Error {
  override readonly name = "BodyRefused";
  readonly reason: "TooLarge" | "Busy" | "Aborted";

  constructor(reason: BodyRefused["reason"]) {
    super(`the body was refused: ${reason}`);
    this.reason = reason;
  }
}

export type ReadBody = (request: IncomingMessage, mostBytes?: number) => Promise<Buffer>;

/**
 * Reads bodies of at most `limit` bytes each, or what the caller says, and 16 times `limit` together, so that a flood needs no
 * more memory. A slow body is dropped for newer ones, so that slow senders do not keep a delivery out.
 */
export function createBodyReader(limit: number, mostAtOnce: number): ReadBody {
  const refusals = new Map<IncomingMessage, (refusal: BodyRefused) => void>();
  const reading = createEvictingSet<IncomingMessage>({ mostMembers: mostAtOnce, mostWeight: 16 * limit }, (request) =>
    refusals.get(request)?.(new BodyRefused("Busy")),
  );

  async function collect(request: IncomingMessage, mostBytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new BodyRefused("TooLarge");
      chunks.push(chunk);
      reading.grow(request, chunk.length);
    }
    if (!request.complete) throw new BodyRefused("Aborted");
    return Buffer.concat(chunks);
  }

  return async (request, mostBytes = limit) => {
    if (Number(request.headers["content-length"] ?? 0) > mostBytes) throw new BodyRefused("TooLarge");
    const evicted = new Promise<never>((_resolve, reject) => void refusals.set(request, reject));
    reading.add(request, 0);
    try {
      return await Promise.race([collect(request, mostBytes), evicted]);
    } catch (error) {
      throw error instanceof BodyRefused ? error : new BodyRefused("Aborted");
    } finally {
      reading.delete(request);
      refusals.delete(request);
    }
  };
}
