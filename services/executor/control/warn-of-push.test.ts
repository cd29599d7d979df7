import { createVirtualClock } from "#fakes/runtime";
import { GitRefused, GitUnavailable, type Heads } from "#libs/git";
import type { Logger } from "#libs/runtime";
import { describe, expect, test } from "vitest";

import { warnOfPush } from "./warn-of-push.ts";

const heads: Heads = { main: "a".repeat(40) };
const away = new GitUnavailable("git is away");

/** The answers in order: the heads of the clone, and the result of the push. */
async function play(recalled: readonly (Heads | undefined)[], pushes: readonly (Error | undefined)[]) {
  const clock = createVirtualClock();
  const warned: unknown[] = [];
  let [recalls, probes] = [0, 0];
  const log = { warn: (fields: unknown) => void warned.push(fields) } as unknown as Logger;
  const probe = async (): Promise<void> => {
    const said = pushes[probes++];
    if (said !== undefined) throw said;
  };
  const done = warnOfPush({ recall: async () => recalled[recalls++] ?? heads, probe, clock, log }, AbortSignal.any([]));
  await clock.advance(60_000);
  await done;
  return { warned, probes };
}

describe("the executor's git token", () => {
  test("that may push causes one warning with the fix", async () => {
    const { warned, probes } = await play([heads], [undefined]);
    expect(warned).toEqual([expect.objectContaining({ code: "GitTokenMayPush" })]);
    expect(probes).toBe(1);
  });

  test("that only reads causes no warning", async () => {
    expect(await play([heads], [new GitRefused("not allowed to push", "nothing")])).toEqual({ warned: [], probes: 1 });
  });

  test("is tried again while git does not answer, and not before main is known", async () => {
    const { warned, probes } = await play([undefined, heads], [away, away, undefined]);
    expect({ warned: warned.length, probes }).toEqual({ warned: 1, probes: 3 });
  });
});
