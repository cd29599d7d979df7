import type { Scm } from "#libs/scm";
import type { Snapshot } from "#libs/plan";
import type { Clock } from "#libs/runtime";

import { listApprovalRules } from "./list-rules.ts";

/** How long a team's members count before they are read again, real ms: one who left must not approve for long. */
const freshMs = 300_000;

export type Teams = ReadonlyMap<string, readonly string[] | undefined>;

/** Reads the members of the teams that main's rules name. */
export interface TeamReader {
  read(scm: Scm, snapshot: Snapshot): Promise<Teams>;
}

/** Slugs of the teams that any rule of main names. */
function listSlugs(snapshot: Snapshot): readonly string[] {
  const teams = listApprovalRules(snapshot)
    .flatMap(({ from }) => from)
    .filter((name) => name.startsWith("team:"));
  return [...new Set(teams.map((name) => name.slice("team:".length)))].toSorted();
}

export function createTeamReader(clock: Clock): TeamReader {
  const known = new Map<string, { readonly at: number; readonly members: readonly string[] | undefined }>();
  return {
    async read(scm, snapshot) {
      const teams = new Map<string, readonly string[] | undefined>();
      for (const slug of listSlugs(snapshot)) {
        const before = known.get(slug);
        const isFresh = before !== undefined && clock.monotonic() - before.at < freshMs;
        const members = isFresh ? before.members : await scm.teamMembers(slug);
        if (!isFresh) known.set(slug, { at: clock.monotonic(), members });
        teams.set(slug, members);
      }
      return teams;
    },
  };
}
