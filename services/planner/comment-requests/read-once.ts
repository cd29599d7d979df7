import type { Scm } from "#libs/scm";

/** An SCM that makes each call once in a round, however many comments need it. */
export interface ReadOnce {
  readonly scm: Scm;
  /** How many calls were made. */
  readonly calls: () => number;
}

export function readOnce(scm: Scm): ReadOnce {
  let calls = 0;
  const once = <K, V>(ask: (key: K) => Promise<V>): ((key: K) => Promise<V>) => {
    const known = new Map<K, Promise<V>>();
    return async (key) => {
      const before = known.get(key);
      if (before !== undefined) return before;
      calls += 1;
      const answer = ask(key);
      known.set(key, answer);
      return answer;
    };
  };
  return {
    calls: () => calls,
    scm: {
      ...scm,
      findPullRequest: once(async (number: number) => scm.findPullRequest(number)),
      findChecks: once(async (sha: string) => scm.findChecks(sha)),
      comments: once(async (number: number) => scm.comments(number)),
      permissionOf: once(async (login: string) => scm.permissionOf(login)),
      teamMembers: once(async (slug: string) => scm.teamMembers(slug)),
      listIssues: once(async (label: string) => scm.listIssues(label)),
    },
  };
}
