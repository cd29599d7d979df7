import type { FakeScm } from "#fakes/scm";
import type { Scm } from "#libs/scm";

/** The planner's writes to pull requests, by `branch@head`. */
export type WriteCounts = Map<string, number>;

const writes = ["openPullRequest", "updatePullRequest", "addLabels", "closePullRequest", "postCheck", "putComment"];

function isWrite(name: string): boolean {
  return writes.includes(name) || name === "merge";
}

async function nameHead(scm: Scm, name: string, first: unknown): Promise<string> {
  if (name === "postCheck") return (first as { readonly headSha: string }).headSha;
  if (typeof first !== "number") return "";
  return (await scm.findPullRequest(first))?.headSha ?? "";
}

/** The same SCM, with one login's writes counted by head; an opened pull request counts for its head at that moment. */
function countWrites(scm: Scm, counts: WriteCounts): Scm {
  return new Proxy(scm, {
    get(object, name) {
      const method = Reflect.get(object, name) as (...args: readonly unknown[]) => Promise<unknown>;
      if (!isWrite(String(name))) return method;
      return async (...args: readonly unknown[]) => {
        const before = await nameHead(scm, String(name), args[0]);
        const answer = await method(...args);
        // Repeating a text that is already there, and a refused merge, are no writes.
        if (answer === false || (answer as { kind?: string } | undefined)?.kind === "refused") return answer;
        const head = before === "" ? ((answer as { headSha?: string }).headSha ?? "") : before;
        counts.set(head, (counts.get(head) ?? 0) + 1);
        return answer;
      };
    },
  });
}

/** The same SCM, with the writes of user `meshroll` counted. */
export function countScm(scm: FakeScm, counts: WriteCounts): FakeScm {
  return {
    ...scm,
    as: (login) => (login === "meshroll" ? countWrites(scm.as(login), counts) : scm.as(login)),
  };
}
