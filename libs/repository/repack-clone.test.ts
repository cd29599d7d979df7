import { createVirtualClock } from "#fakes/runtime";
import { createLogger } from "#libs/runtime";
import { expect, test } from "vitest";

import { repackRegularly } from "./repack-clone.ts";

test("8.1 the clone is packed every ten minutes, also after a failure, until the process ends", async () => {
  const clock = createVirtualClock();
  const at: number[] = [];
  const repository = {
    repack: async () => {
      at.push(clock.monotonic());
      if (at.length === 2) throw new Error("the disk is full");
      return { kind: "repacked" as const, loose: 2001, packs: 3 };
    },
  };
  const lines: string[] = [];
  const log = createLogger("test", [], "info", (line) => void lines.push(line));
  const stop = new AbortController();
  const done = repackRegularly({ repository, clock, log }, stop.signal);

  await clock.advance(1_800_000);
  stop.abort();
  await clock.advance(1_200_000);
  await done;

  expect(at).toEqual([600_000, 1_200_000, 1_800_000]);
  expect(lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg)).toEqual([
    "the clone was packed",
    "the clone could not be packed: it is tried again in ten minutes",
    "the clone was packed",
  ]);
});
