import { expect, test } from "vitest";

import { doEach } from "./do-each.ts";

async function play(down: readonly string[]) {
  const [done, logged, faulty]: [string[], object[], string[]] = [[], [], []];
  const turn = doEach(
    ["a", "b", "c"],
    async (item) => {
      if (item === "b") throw new Error(`no ${item}`);
      done.push(item);
    },
    {
      log: { warn: (fields: object | string, message?: string) => void logged.push([fields, message]) },
      failed: "an item failed",
      describe: (item) => ({ item }),
      isDown: (error) => error instanceof Error && down.includes(error.message),
      onFault: (item) => faulty.push(item),
    },
  );
  const ended = await turn.then(
    () => "whole",
    (error: unknown) => String(error),
  );
  return { ended, done, logged, faulty };
}

test("what fails for one item is logged and told, and the others are done", async () => {
  expect(await play([])).toEqual({
    ended: "whole",
    done: ["a", "c"],
    logged: [[{ error: new Error("no b"), item: "b" }, "an item failed"]],
    faulty: ["b"],
  });
});

test("what is down for all ends the turn", async () => {
  expect(await play(["no b"])).toEqual({ ended: "Error: no b", done: ["a"], logged: [], faulty: [] });
});
