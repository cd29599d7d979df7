import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashText, murmur3, TextHasher } from "./murmur3.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const published: readonly {
  readonly name: string;
  readonly text: string;
  readonly seed: number;
  readonly want: number;
}[] = [
  { name: "nothing under seed 0", text: "", seed: 0, want: 0 },
  { name: "nothing under seed 1", text: "", seed: 1, want: 0x514e28b7 },
  { name: "nothing under the greatest seed", text: "", seed: 0xffffffff, want: 0x81f16f39 },
  { name: "one byte", text: "a", seed: 0x9747b28c, want: 0x7fa09ea6 },
  { name: "two bytes", text: "aa", seed: 0x9747b28c, want: 0x5d211726 },
  { name: "three bytes", text: "aaa", seed: 0x9747b28c, want: 0x283e0130 },
  { name: "a whole block", text: "aaaa", seed: 0x9747b28c, want: 0x5a97808a },
  { name: "a known sentence", text: "hello, world", seed: 0, want: 0x149bbb7f },
  { name: "UTF-8 beyond ASCII", text: "ππππππππ", seed: 0x9747b28c, want: 0xd58063c1 },
  { name: "many blocks", text: "The quick brown fox jumps over the lazy dog", seed: 0x9747b28c, want: 0x2fa826cd },
];

describe("murmur3", () => {
  it.each(published)("$name has its published hash, from bytes and from text", ({ text, seed, want }) => {
    expect(murmur3(encode(text), seed)).toBe(want);
    expect(hashText(text, seed)).toBe(want);
  });

  it("gives for any text what its UTF-8 bytes give", () => {
    const anyText = fc.string({
      unit: fc.constantFrom("a", "-", "9", "\0", "\x7F", "\x80", "é", "π", "～", "😀"),
      maxLength: 70,
    });

    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 0xffffffff }), (text, seed) => {
        expect(hashText(text, seed)).toBe(murmur3(encode(text), seed));
      }),
    );
  });

  it.each([252, 253, 255, 256, 257, 1_000])("hashes an ASCII text of %i characters like its bytes", (length) => {
    const text = "a-name-of-any-length".repeat(50).slice(0, length);

    expect(hashText(text, 7)).toBe(murmur3(encode(text), 7));
  });

  it("keeps no state between texts", () => {
    const hasher = new TextHasher();
    const texts = ["a-rather-long-text", "ab", "π", "abcdef", "", "x".repeat(300), "abc"];

    const hashes = texts.map((text) => {
      hasher.load(text);
      return [hasher.hash(1), hasher.hash(2)];
    });

    expect(hashes).toEqual(texts.map((text) => [murmur3(encode(text), 1), murmur3(encode(text), 2)]));
  });

  it("reads bytes from the middle of a buffer", () => {
    const padded = encode("xxxhello, worldyyy").subarray(3, 15);

    expect(murmur3(padded, 0)).toBe(0x149bbb7f);
  });
});
