import { ChatUnavailable } from "#libs/chat";
import { expect, it } from "vitest";

import { NotHeld, tellEach } from "./tell-each.ts";

const cases = [
  { name: "one that a place refuses", fault: new TypeError("no b"), want: ["a", "c"] },
  { name: "a place that is away", fault: new ChatUnavailable("away"), want: ["a"] },
  { name: "a message in other hands", fault: new NotHeld("theirs"), want: ["a"] },
];

it.each(cases)("$name: it is thrown, after $want", async ({ fault, want }) => {
  const told: string[] = [];
  const tell = async (item: string): Promise<void> => {
    if (item === "b") throw fault;
    told.push(item);
  };
  await expect(tellEach(["a", "b", "c"], tell)).rejects.toBe(fault);
  expect(told).toEqual(want);
});
