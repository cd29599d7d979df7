import type { Clock } from "#libs/runtime";
import type { ReviewRule } from "#libs/wording";

import type { ScmLink } from "../scm-link.ts";

/** How long "some rules are missing" counts before the rules are read again, real ms. */
const againMs = 60_000;

/** Reads which of the needed approval rules the protected branch lacks. */
export interface RulesReader {
  read(link: Pick<ScmLink, "scm" | "base">): Promise<readonly ReviewRule[]>;
}

/** The rules are read before each merge; only an answer with missing rules is cached. */
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
