import { expect, test } from "vitest";

import { BoundedMemory } from "./bounded-memory.ts";

test("a text is worked out once, also where nothing came of it", () => {
  const memory = new BoundedMemory<string | undefined>(10);
  const asked: string[] = [];
  const recall = (text: string) =>
    memory.recall(text, () => {
      asked.push(text);
      return text === "" ? undefined : text.toUpperCase();
    });
  expect(["a", "", "a", ""].map(recall)).toEqual(["A", undefined, "A", undefined]);
  expect(asked).toEqual(["a", ""]);
});

test("however many texts come, no more than the bound are remembered", () => {
  const memory = new BoundedMemory<number>(3);
  const sizes = Array.from({ length: 10 }, (_, index) => {
    memory.recall(`text ${index}`, () => index);
    return memory.size;
  });
  expect(sizes).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3, 1]);
});

test("a text for which there is an error is tried again", () => {
  const memory = new BoundedMemory<number>(3);
  const fail = () => {
    throw new RangeError("no such zone");
  };
  expect(() => memory.recall("x", fail)).toThrow("no such zone");
  expect(memory.recall("x", () => 7)).toBe(7);
});
