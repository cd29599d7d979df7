import { expect, test } from "vitest";

import { doEach } from "./do-each.ts";

async function play(down: readonly string[]) {
  const [done, faulty]: [string[], string[]] = [[], []];
  const act = async (item: string): Promise<void> => {
    if (item === "b") throw new Error(`no ${item}`);
    done.push(item);
  };
  const turn = doEach(["a", "b", "c"], act, {
    onFault: (item, error) => faulty.push(`${item}: ${String(error)}`),
    isDown: (error) => error instanceof Error && down.includes(error.message),
  });
  const ended = await turn.then(
    () => "whole",
    (error: unknown) => String(error),
  );
  return { ended, done, faulty };
}

test("a fault of one item is reported, and the others are done", async () => {
  expect(await play([])).toEqual({ ended: "whole", done: ["a", "c"], faulty: ["b: Error: no b"] });
});

test("a fault of all items ends the loop", async () => {
  expect(await play(["no b"])).toEqual({ ended: "Error: no b", done: ["a"], faulty: [] });
});
