import type { Token } from "#libs/runtime";

import { createBan } from "./ban.ts";
import { classify, readBanMs, type ScmName } from "./classify.ts";

/** Runs one call: refused at once during a ban; its error becomes `ScmUnavailable` or `ScmRefused`. */
export type Call = <T>(doing: string, work: () => Promise<T>) => Promise<T>;

/** All calls of a token share one ban, because GitHub counts them together. */
export function createCall(token: Token, scm: ScmName = "GitHub"): Call {
  const ban = createBan(scm);
  // Tokens of a source are removed from messages by the error classes (`notePassingSecret`).
  const hidden = typeof token === "string" ? { token } : {};
  return async (doing, work) => {
    ban.requireNone(doing);
    try {
      return await work();
    } catch (error) {
      const banMs = readBanMs(error, Date.now());
      if (banMs !== undefined) ban.start(banMs);
      throw classify(error, { doing, ...hidden, scm, retryAfterMs: banMs });
    }
  };
}
