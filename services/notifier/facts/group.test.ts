import { describe, expect, it } from "vitest";

import { addItem, countItems, emptyGroup, endItem, type Group, hasOpenItem, printGroup, readGroup } from "./group.ts";

function grow(count: number, before: Group = emptyGroup): Group {
  return Array.from({ length: count }).reduce<Group>(
    (group, _, index) => addItem(group, { id: `id-${index}`, line: "x".repeat(200) }),
    before,
  );
}

describe("a message that grows in place", () => {
  it("lists the first dozen and counts the rest; a repeated item counts once", () => {
    const group = grow(20, grow(20));
    expect(group.items).toHaveLength(12);
    expect(countItems(group)).toBe(20);
  });

  it("is the same object when there is nothing new", () => {
    const group = grow(20);
    expect(addItem(group, { id: "id-0", line: "" })).toBe(group);
    expect(addItem(group, { id: "id-19", line: "" })).toBe(group);
    expect(endItem(group, "unknown", "over")).toBe(group);
  });

  it("fits into its message's marker", () => {
    const group = grow(1000);
    const note = printGroup(group);
    expect(note.length).toBeLessThan(6000);
    expect(readGroup(note)).toEqual(group);
  });

  it("has open items until they are over", () => {
    const group = grow(2);
    const ended = endItem(group, "id-1", "over");
    expect([hasOpenItem(group, "id-1"), hasOpenItem(ended, "id-1"), hasOpenItem(ended, "id-0")]).toEqual([
      true,
      false,
      true,
    ]);
    expect(endItem(ended, "id-1", "again")).toBe(ended);
    expect(readGroup(printGroup(ended))).toEqual(ended);
  });

  it.each([undefined, "", "no JSON", "{}", "null"])("is empty for a note that is not ours: %s", (note) => {
    expect(readGroup(note)).toEqual(emptyGroup);
  });
});
