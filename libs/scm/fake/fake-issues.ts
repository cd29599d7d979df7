import { ScmRefused } from "../port/errors.ts";
import type { FakeRecords } from "./fake-records.ts";
import type { Scm, Issue, IssueDraft, Permission } from "../port/port.ts";

type Answer = <T>(work: () => T) => Promise<T>;
type IssueCalls = Pick<Scm, "recentComments" | "permissionOf" | "listIssues" | "openIssue" | "updateIssue">;

/** Issues and rights in memory, shared by all users of a fake SCM. */
export interface FakeIssues {
  /** Every account may write unless it is said otherwise. */
  setPermission(login: string, permission: Permission): void;
  /** A person rewrites a comment, no matter who wrote it. */
  editComment(id: number, body: string): void;
  has(number: number): boolean;
  as(login: string, answer: Answer): IssueCalls;
}

/** Their numbers begin here: pull requests of a test are fewer. */
const firstNumber = 1001;

export function createFakeIssues({ comments, writes }: FakeRecords): FakeIssues {
  const issues: (Issue & { readonly labels: readonly string[] })[] = [];
  const permissions = new Map<string, Permission>();

  function show({ number, title, body, author, url }: Issue, login: string): Issue {
    return { number, title, body, author, url, ...(author === login ? { ours: true } : {}) };
  }

  function open({ title, body, labels }: IssueDraft, author: string): Issue {
    const number = firstNumber + issues.length;
    const issue = { number, title, body, author, labels, url: `https://SCM.example/issues/${number}` };
    issues.push(issue);
    writes.push(`issue ${number}`);
    return show(issue, author);
  }

  function update(number: number, text: Pick<IssueDraft, "title" | "body">): void {
    const [at, before] = [number - firstNumber, issues[number - firstNumber]];
    if (before === undefined) throw new ScmRefused(`there is no issue ${number}`, "check the number");
    if (before.title === text.title && before.body === text.body) return;
    issues[at] = { ...before, ...text };
    writes.push(`edit issue ${number}`);
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
        answer(() => issues.filter(({ labels }) => labels.includes(label)).map((issue) => show(issue, login))),
      openIssue: async (draft) => answer(() => open(draft, login)),
      updateIssue: async (number, text) => answer(() => update(number, text)),
    }),
  };
}
