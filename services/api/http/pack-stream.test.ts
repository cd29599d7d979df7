import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";

import { createPackedStream, createPiecePacker } from "./pack-stream.ts";

const texts = ["event: status\n", "ü".repeat(40_000), "", "data: {}\n\n"];

it("two callers that connected at different times can read their streams of the same pieces", () => {
  const pack = createPiecePacker();
  const callers = [0, 2].map((from) => ({ from, stream: createPackedStream(), sent: [] as Buffer[] }));
  for (const { stream, sent } of callers) sent.push(stream.head);
  for (const [at, text] of texts.entries())
    for (const { from, stream, sent } of callers) {
      if (at < from) continue;
      stream.count(text);
      sent.push(pack(text));
    }
  for (const { from, stream, sent } of callers) {
    sent.push(stream.end());
    expect(gunzipSync(Buffer.concat(sent)).toString()).toBe(texts.slice(from).join(""));
  }
  expect(pack("a")).toBe(pack("a"));
});
