import { type FakeRemote, openFakeRepository } from "#fakes/git";
import type { FakeScm } from "#fakes/scm";

import type { ScmLink } from "../../../services/planner/pull-requests/scm-link.ts";
import { createInProcessJudge } from "./in-process-judge.ts";

/** What a planner needs to follow pull requests. */
export function linkTo(remote: FakeRemote, github: FakeScm): ScmLink {
  const [repository, strangers] = [openFakeRepository(remote), openFakeRepository(remote)];
  const judge = createInProcessJudge();
  return { scm: github.as("meshroll"), repository, strangers, judge, base: "main", pollMs: 30_000 };
}
