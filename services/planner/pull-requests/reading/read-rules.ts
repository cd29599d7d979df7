import type { Clock } from "#libs/runtime";
import type { ReviewRule } from "#libs/wording";

import type { ScmLink } from "../scm-link.ts";

/** Rules that are missing are asked for again after so long, real ms. */
const againMs = 60_000;

/** Which of the SCM's rules about approvals the protected branch lacks. */
export interface RulesReader {
  read(link: Pick<ScmLink, "scm" | "base">): Promise<readonly ReviewRule[]>;
}

/** Asked for before each merge; only that some are missing is remembered. */
export function createRulesReader(clock: Pick<Clock, "monotonic">): RulesReader {
  let missing: readonly ReviewRule[] = [];
  let until = 0;
  return {
    async read({ scm, base }) {
      if (missing.length > 0 && clock.monotonic() < until) return missing;
      missing = await scm.missingRules(base);
      until = clock.monotonic() + againMs;
      return missing;
    },
  };
}
