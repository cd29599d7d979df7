import { type FakeRemote, openFakeRepository } from "#fakes/git";
import type { FakeScm, ScmRemote } from "#fakes/scm";
import type { Clock } from "#libs/runtime";

import type { ScmLink } from "../../../services/planner/pull-requests/scm-link.ts";
import { createInProcessJudge } from "./in-process-judge.ts";

/** What a planner needs to follow pull requests. */
export function linkTo(remote: FakeRemote, github: FakeScm): ScmLink {
  const [repository, strangers] = [openFakeRepository(remote), openFakeRepository(remote)];
  const judge = createInProcessJudge();
  return { scm: github.as("meshroll"), repository, strangers, judge, base: "main", pollMs: 30_000 };
}

/** What an SCM needs of the remote; each `rollouts.yml` that a merge brings to main is noted. */
export function watchMerges(remote: FakeRemote, clock: Pick<Clock, "now">, note: (text: string) => void): ScmRemote {
  function noteMain(sha: string): void {
    const text = remote.commit(sha)?.tree.get("rollouts.yml");
    if (typeof text === "string") note(text);
  }
  return {
    head: (branch) => remote.head(branch),
    commit: (sha) => remote.commit(sha),
    mergeToMain: (merge) => {
      const merged = remote.mergeToMain({ ...merge, at: clock.now() });
      if (merged.kind === "merged") noteMain(merged.sha);
      return merged;
    },
    mergeOnto: (onto, head, merge) => remote.mergeOnto(onto, head, { ...merge, at: clock.now() }),
    forceMain: (sha) => {
      remote.forceMain(sha);
      noteMain(sha);
    },
  };
}
