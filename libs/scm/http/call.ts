import type { Token } from "#libs/runtime";

import { createBan } from "./ban.ts";
import { classify, readBanMs, type ScmName } from "./classify.ts";

/** One call: refused at once during a ban, its error turned into what the caller must do. */
export type Call = <T>(doing: string, work: () => Promise<T>) => Promise<T>;

/** The ban is one for all calls of a token: GitHub counts them together. */
export function createCall(token: Token, scm: ScmName = "GitHub"): Call {
  const ban = createBan(scm);
  // Of those that end the error itself takes out what it knows.
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
