import { ChatUnavailable } from "#libs/chat";
import { expect, it } from "vitest";

import { NotHeld, deliverEach } from "./deliver-each.ts";

const cases = [
  { name: "an item that is refused", fault: new TypeError("no b"), want: ["a", "c"] },
  { name: "a place that is down", fault: new ChatUnavailable("away"), want: ["a"] },
  { name: "a message that another notifier has", fault: new NotHeld("theirs"), want: ["a"] },
];

it.each(cases)("$name: it is thrown, after $want", async ({ fault, want }) => {
  const delivered: string[] = [];
  const deliver = async (item: string): Promise<void> => {
    if (item === "b") throw fault;
    delivered.push(item);
  };
  await expect(deliverEach(["a", "b", "c"], deliver)).rejects.toBe(fault);
  expect(delivered).toEqual(want);
});
