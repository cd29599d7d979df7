import { renderReason } from "#libs/wording";
import { expect, it } from "vitest";

import { groupWaits } from "./group-waits.ts";

const wait = (scope: string, until?: string) => ({
  scope,
  ...renderReason({ code: "QueueDown" }),
  ...(until === undefined ? {} : { until }),
});

it("the same wait in several places is one, unless its end differs", () => {
  const groups = groupWaits([wait("run/a"), wait("run/b"), wait("run/b"), wait("run/c", "2026-11-19T12:00:00Z")]);
  expect(groups.map(({ scopes }) => scopes)).toEqual([["run/a", "run/b"], ["run/c"]]);
});
