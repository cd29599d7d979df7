import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NameTrie } from "./name-trie.ts";

function walk(trie: NameTrie, text: string): number {
  let node = NameTrie.root;
  for (let at = 0; at < text.length; at++) {
    node = trie.next(node, text.charCodeAt(at));
    if (node === NameTrie.root) break;
  }
  return node;
}

function grow(trie: NameTrie, text: string): number {
  let node = NameTrie.root;
  for (let at = 0; at < text.length; at++) node = trie.grow(node, text.charCodeAt(at));
  return node;
}

describe("NameTrie", () => {
  it("finds every added text, and no other, however often it grows", () => {
    const ascii = fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 12 });

    fc.assert(
      fc.property(fc.uniqueArray(ascii, { maxLength: 200 }), ascii, (texts, other) => {
        const trie = new NameTrie();
        const nodes = texts.map((text) => grow(trie, text));

        expect(new Set(nodes).size).toBe(texts.length);
        expect(texts.map((text) => walk(trie, text))).toEqual(nodes);
        expect(walk(trie, other) > 0).toBe(texts.some((text) => text.startsWith(other)));
      }),
    );
  });

  it("has no edge for a character outside ASCII", () => {
    const trie = new NameTrie();
    grow(trie, "a");

    expect(trie.next(NameTrie.root, "á".charCodeAt(0))).toBe(NameTrie.root);
    expect(trie.next(NameTrie.root, 0x61 + 0x80)).toBe(NameTrie.root);
  });
});
