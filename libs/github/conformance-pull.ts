import { afterEach, beforeEach } from "vitest";

import type { ForgeRules, ForgeWorld } from "./conformance-world.ts";
import type { Forge, PullRequestDraft, PullRequest } from "./port.ts";

/** A fresh world in which one pull request is open. */
export interface PullScene {
  readonly world: ForgeWorld;
  /** As `bot` sees it. */
  readonly forge: Forge;
  readonly pull: PullRequest;
}

type Author = Parameters<ForgeWorld["as"]>[0];

/** Makes a scene before each test of the suite and closes it after; the answer tells the test's own. Nothing is required of a merge. */
export function usePull(
  make: (rules: ForgeRules) => Promise<ForgeWorld>,
  draft: Omit<PullRequestDraft, "base">,
  author: Author = "bot",
): () => PullScene {
  let scene: PullScene | undefined;
  beforeEach(async () => {
    const world = await make({ requiredReviews: 0, requiredChecks: [] });
    world.remote.commitTo(draft.branch, { files: { "rollouts.yml": "two\n" } });
    const pull = await world.as(author).openPullRequest({ ...draft, base: "main" });
    scene = { world, forge: world.as("bot"), pull };
  });
  afterEach(async () => scene?.world.close());
  return () => {
    if (scene === undefined) throw new Error("a scene is there only inside of a test");
    return scene;
  };
}
