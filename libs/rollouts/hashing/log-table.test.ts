import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOG_TABLE, negativeLog2 } from "./log-table.ts";

const uint32 = fc.integer({ min: 0, max: 0xffffffff });

describe("log table", () => {
  it("is the table of the specification, to the last bit", () => {
    const bytes = Buffer.alloc(LOG_TABLE.length * 4);
    for (const [at, value] of LOG_TABLE.entries()) bytes.writeUInt32LE(value, at * 4);

    expect([LOG_TABLE.length, LOG_TABLE[1], LOG_TABLE[1024], LOG_TABLE[2047]]).toEqual([
      2049, 11815, 9814042, 16771305,
    ]);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(
      "7d883716820a9eced96ffc4ba656256c8bf1e2ca8e3b12e1cd13676ff57c3096",
    );
  });
});

describe("negativeLog2", () => {
  it.each([
    { u: 0, want: 553_648_128 },
    { u: 1, want: 527_056_870 },
    { u: 0x80000000, want: 16_777_216 },
    { u: 0xffffffff, want: 1 },
  ])("of $u is $want", ({ u, want }) => {
    expect(negativeLog2(u)).toBe(want);
  });

  it("is a whole number within 2^-22 bits of the logarithm", () => {
    fc.assert(
      fc.property(uint32, (u) => {
        const units = negativeLog2(u);

        expect(Number.isInteger(units)).toBe(true);
        expect(Math.abs(units / 2 ** 24 + Math.log2((u + 0.5) / 2 ** 32))).toBeLessThan(2 ** -22);
      }),
      { numRuns: 2_000 },
    );
  });

  it("never grows with the hash", () => {
    fc.assert(
      fc.property(uint32, fc.integer({ min: 1, max: 5_000 }), (u, step) => {
        expect(negativeLog2(Math.min(0xffffffff, u + step))).toBeLessThanOrEqual(negativeLog2(u));
      }),
      { numRuns: 2_000 },
    );
  });

  it("never grows from one table point to the next", () => {
    for (let index = 1; index < 4096; index++) {
      const u = index * 2 ** 20;
      expect(negativeLog2(u)).toBeLessThanOrEqual(negativeLog2(u - 1));
    }
  });
});
