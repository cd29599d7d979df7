import type { Token } from "#libs/runtime";

import { classify, readBanMs, type ScmName } from "./classify.ts";
import { createLimits, type Limits } from "./limits.ts";

/** Runs one call: refused at once where a limit forbids it; its error becomes `ScmUnavailable` or `ScmRefused`. */
export type Call = <T>(doing: string, work: () => Promise<T>) => Promise<T>;

/** All calls of a token share its limits, because GitHub counts them together. */
export function createCall(token: Token, scm: ScmName = "GitHub", limits: Limits = createLimits(scm)): Call {
  // Tokens of a source are removed from messages by the error classes (`notePassingSecret`).
  const hidden = typeof token === "string" ? { token } : {};
  return async (doing, work) => {
    limits.requireLeave(doing);
    try {
      return await work();
    } catch (error) {
      const banMs = readBanMs(error, Date.now());
      if (banMs !== undefined) limits.startBan(banMs);
      throw classify(error, { doing, ...hidden, scm, retryAfterMs: banMs });
    }
  };
}
