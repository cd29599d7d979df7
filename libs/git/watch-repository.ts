import type { Clock } from "#libs/runtime";

import type { RolloutsRepository } from "./port.ts";

/** A call without an answer for this long is reported, real ms. */
const silentAfterMs = 5_000;

export interface WatchedRepository {
  /** The same repository. */
  readonly repository: RolloutsRepository;
  /** Why the git server does not answer, in a sentence; undefined while it answers. */
  readonly findSilence: () => string | undefined;
}

/** Times calls of fetch and push, so that a hanging server can be told from a hanging loop. */
export function watchRepository(repository: RolloutsRepository, clock: Pick<Clock, "monotonic">): WatchedRepository {
  const open = new Map<symbol, { readonly what: string; readonly since: number }>();
  let failed: { readonly what: string; readonly since: number } | undefined;

  async function watch<T>(what: string, call: () => Promise<T>): Promise<T> {
    const key = Symbol(what);
    open.set(key, { what, since: clock.monotonic() });
    try {
      const answer = await call();
      failed = undefined;
      return answer;
    } catch (error) {
      failed ??= { what, since: clock.monotonic() };
      throw error;
    } finally {
      open.delete(key);
    }
  }

  const age = (since: number): number => Math.round((clock.monotonic() - since) / 1000);
  return {
    repository: {
      ...repository,
      fetch: async (signal) => watch("a fetch", async () => repository.fetch(signal)),
      commitAndPush: async (draft) => watch("a push", async () => repository.commitAndPush(draft)),
    },
    findSilence() {
      const [oldest] = [...open.values()].filter(({ since }) => clock.monotonic() - since >= silentAfterMs);
      if (oldest !== undefined) return `git has not answered ${oldest.what} for ${age(oldest.since)} s`;
      return failed === undefined ? undefined : `git has answered no fetch and no push for ${age(failed.since)} s`;
    },
  };
}
