import { type FakeRemote, openFakeRepository } from "#fakes/git";
import type { FakeForge } from "#fakes/github";

import type { ForgeLink } from "../../services/planner/pull-requests/forge-link.ts";
import { createInProcessJudge } from "./in-process-judge.ts";

/** What a planner follows pull requests by. */
export function linkTo(remote: FakeRemote, github: FakeForge): ForgeLink {
  const [repository, strangers] = [openFakeRepository(remote), openFakeRepository(remote)];
  const judge = createInProcessJudge();
  return { forge: github.as("meshroll"), repository, strangers, judge, base: "main", pollMs: 30_000 };
}
