import type { FakeRecords } from "./fake-records.ts";
import type { Scm, Issue, IssueDraft, Permission } from "../port/port.ts";

type Answer = <T>(work: () => T) => Promise<T>;
type IssueCalls = Pick<Scm, "recentComments" | "permissionOf" | "listIssues" | "putIssue">;

/** Issues and rights in memory, shared by all users of a fake SCM. */
export interface FakeIssues {
  /** Every account may write until this says otherwise. */
  setPermission(login: string, permission: Permission): void;
  /** Edits any comment, no matter who wrote it. */
  editComment(id: number, body: string): void;
  has(number: number): boolean;
  as(login: string, answer: Answer): IssueCalls;
}

/** Issue numbers begin here; a test has fewer pull requests. */
const firstNumber = 1001;

export function createFakeIssues({ comments, writes }: FakeRecords): FakeIssues {
  const issues: (Issue & Pick<IssueDraft, "label">)[] = [];
  const permissions = new Map<string, Permission>();

  function show({ number, title, body, author, url }: Issue, login: string): Issue {
    return { number, title, body, author, url, ...(author === login ? { ours: true } : {}) };
  }

  function put(marker: string, { title, body, label }: IssueDraft, author: string): number {
    const at = issues.findIndex(
      (each) => each.author === author && each.label === label && each.body.startsWith(marker),
    );
    const before = issues[at];
    if (before === undefined) {
      const number = firstNumber + issues.length;
      issues.push({ number, title, body, author, label, url: `https://SCM.example/issues/${number}` });
      writes.push(`issue ${number}`);
      return number;
    }
    if (before.body === body) return before.number;
    issues[at] = { ...before, body };
    writes.push(`edit issue ${before.number}`);
    return before.number;
  }

  return {
    setPermission: (login, permission) => void permissions.set(login, permission),
    editComment(id, body) {
      const at = comments.findIndex((each) => each.id === id);
      const before = comments[at];
      if (before !== undefined) comments[at] = { ...before, body, editedAt: before.editedAt + 1000 };
    },
    has: (number) => issues.some((issue) => issue.number === number),
    as: (login, answer) => ({
      recentComments: async (since) =>
        answer(() => {
          const found = comments.filter((each) => each.editedAt >= since).toSorted((a, b) => a.editedAt - b.editedAt);
          return found.map((each) => (each.author === login ? { ...each, ours: true as const } : each));
        }),
      permissionOf: async (who) => answer(() => permissions.get(who) ?? "write"),
      listIssues: async (label) =>
        answer(() => issues.filter((each) => each.label === label).map((issue) => show(issue, login))),
      putIssue: async (marker, draft) => answer(() => put(marker, draft, login)),
    }),
  };
}
