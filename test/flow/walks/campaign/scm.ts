import type { FakeScm } from "#fakes/scm";
import type { Scm } from "#libs/scm";

/** What the planner wrote about pull requests, by `branch@head`. */
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

/** The same SCM, which counts what one login writes, by head; what is opened counts for the head that it has then. */
function countWrites(scm: Scm, counts: WriteCounts): Scm {
  return new Proxy(scm, {
    get(object, name) {
      const method = Reflect.get(object, name) as (...args: readonly unknown[]) => Promise<unknown>;
      if (!isWrite(String(name))) return method;
      return async (...args: readonly unknown[]) => {
        const before = await nameHead(scm, String(name), args[0]);
        const answer = await method(...args);
        // A text that stands there already, or a merge that is refused, is no write.
        if (answer === false || (answer as { kind?: string } | undefined)?.kind === "refused") return answer;
        const head = before === "" ? ((answer as { headSha?: string }).headSha ?? "") : before;
        counts.set(head, (counts.get(head) ?? 0) + 1);
        return answer;
      };
    },
  });
}

/** An SCM whose user `meshroll` is counted. */
export function countScm(scm: FakeScm, counts: WriteCounts): FakeScm {
  return {
    ...scm,
    as: (login) => (login === "meshroll" ? countWrites(scm.as(login), counts) : scm.as(login)),
  };
}
