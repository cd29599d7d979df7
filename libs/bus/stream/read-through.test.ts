import { errors } from "@nats-io/transport-node";
import { describe, expect, it } from "vitest";

import { readThrough } from "./read-through.ts";

const last = 9;

/** A message of a stream whose last message has number `end`. */
const keep = (seq: number, end: number) => ({
  subject: "meshroll.v1.x",
  seq,
  info: { pending: end - seq },
  string: () => "",
});

/** A server that sends these parts, one for each fetch, and then nothing. */
function serve(parts: readonly (readonly number[])[], end: number) {
  const left = parts.map((part) => part.map((seq) => keep(seq, end)));
  return async () =>
    (async function* () {
      yield* left.shift() ?? [];
    })();
}

describe("the last messages are read to the end", () => {
  const cases = [
    { name: "at once", parts: [[7, 8, 9]], end: 9, want: [7, 8, 9] },
    { name: "in parts, when the server is slow", parts: [[7], [8, 9]], end: 9, want: [7, 8, 9] },
    { name: "without what was published meanwhile", parts: [[8, 9, 10, 11]], end: 11, want: [8, 9] },
    { name: "although the last one is gone", parts: [[6, 7]], end: 7, want: [6, 7] },
  ];
  it.each(cases)("$name", async ({ parts, end, want }) => {
    const found = await readThrough(serve(parts, end), last);
    expect(found.map(({ seq }) => seq)).toEqual(want);
  });

  it("or not at all: a part is not taken for the whole", async () => {
    await expect(readThrough(serve([[7, 8]], 9), last)).rejects.toThrow(errors.TimeoutError);
    await expect(readThrough(serve([], 9), last)).rejects.toThrow(errors.TimeoutError);
  });
});
