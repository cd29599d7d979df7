import { addressPage } from "#libs/input";

import { createCommitReader } from "./approvals/read-commits.ts";
import { createPermissionReader } from "./approvals/read-permissions.ts";
import { createStageMemory } from "./stages/bring-stage.ts";
import type { FollowParts } from "./follow-once.ts";
import type { ScmLink } from "./scm-link.ts";
import { createCheckPoster } from "./checks/post-checks.ts";
import { createMergedReader } from "./reading/read-merged.ts";
import { createRulesReader } from "./reading/read-rules.ts";
import { createTeamReader } from "./reading/read-teams.ts";
import { createRefusedHeads } from "./checks/refused-heads.ts";
import { createWriteBudget } from "./checks/write-budget.ts";

/** The state of following pull requests, empty as at the start of a process: all of it is found again. */
export function createFollow(
  link: ScmLink,
  { clock, log, onMerged, page }: Pick<FollowParts, "clock" | "log" | "onMerged"> & { readonly page?: string },
): FollowParts {
  return {
    link,
    clock,
    log,
    onMerged,
    poster: createCheckPoster(link.scm, clock, addressPage(page, { code: "Fleet" })),
    reader: createMergedReader(),
    teams: createTeamReader(clock),
    rules: createRulesReader(clock),
    permissions: createPermissionReader(clock),
    commits: createCommitReader(),
    budget: createWriteBudget(),
    refused: createRefusedHeads(clock),
    turns: new Map(),
    startTurn: Math.floor(clock.now()),
    strangersMain: undefined,
    lastWaits: [],
    stages: createStageMemory(),
    refusals: new Map(),
    stagePulls: undefined,
  };
}
