import type { ReviewRule } from "#libs/wording";

import { ScmRefused, ScmUnavailable } from "./port/errors.ts";
import { createFakeMerging, type Entry, type FakeProtection, type ScmRemote } from "./fake/fake-merging.ts";
import { createFakeIssues, type FakeIssues } from "./fake/fake-issues.ts";
import { createFakeRecords, type FakeRecords } from "./fake/fake-records.ts";
import { listPullCommits } from "./fake/fake-authorship.ts";
import type { LedgerRules } from "./port/ledger-rules.ts";
import type { Scm, PullRequest, PullRequestDraft, Review } from "./port/port.ts";

export type { FakeProtection, ScmRemote } from "./fake/fake-merging.ts";

export interface FakeScmOptions {
  readonly remote: ScmRemote;
  /** Default: nothing is required. */
  readonly protection?: FakeProtection;
  /** Epoch ms, for when a pull request was opened, reviewed and closed; default: a fixed time. */
  readonly now?: () => number;
}

/** An SCM in memory that all its users share. */
export interface FakeScm extends Pick<FakeIssues, "setPermission" | "editComment"> {
  as(login: string): Scm;
  passCheck(sha: string, name: string): void;
  /** A person's comment on a pull request or issue; answers its id. */
  readonly say: FakeRecords["say"];
  /** A person's review of the current head. */
  review(number: number, review: Omit<Review, "commit" | "at">): void;
  /** All approvals of all pull requests, in the order of pull request and review. */
  approvals(): readonly { readonly head: string; readonly by: string; readonly at: number }[];
  /** By a person; default its author. */
  closePullRequest(number: number, by?: string): void;
  /** Opens one from a fork, whose branch is at `forks/<login>/<branch>` of the fake remote; answers its number. */
  openFromFork(login: string, branch: string): number;
  /** Sets the rules of the ledger's branch; at first only meshroll may push there. */
  setLedgerRules(rules: LedgerRules): void;
  /** Sets rules about approvals that the branch lacks; none at first. The fake enforces none of them. */
  setMissingRules(rules: readonly ReviewRule[]): void;
  /** Sets the members of a team, by its slug. */
  setTeam(slug: string, logins: readonly string[]): void;
  /** Title and body of a pull request. */
  readText(number: number): Pick<PullRequestDraft, "title" | "body">;
  /** Writes to pull requests that changed something, in order, with the login: `meshroll open 1`, `ada merge 1`. */
  readonly edits: readonly string[];
  /** Every write of checks, comments and deployments that changed something, in order. */
  readonly writes: readonly string[];
  /** While true every call throws `ScmUnavailable`. */
  setUnavailable(down: boolean): void;
}

/** Opens an empty SCM on top of a repository. */
export function createFakeScm(options: FakeScmOptions): FakeScm {
  const { remote } = options;
  const now = options.now ?? ((): number => 1_700_000_000_000);
  const teams = new Map<string, readonly string[]>();
  const edits: string[] = [];
  const protection = options.protection ?? { requiredReviews: 0, requiredChecks: [] };
  const entries: Entry[] = [];
  const passed = new Set<string>();
  const records = createFakeRecords(options.now);
  const issues = createFakeIssues(records);
  let down = false;
  let ledgerRules: LedgerRules = { ledgerRules: ["deletion", "non_fast_forward", "update"] };
  let missingRules: readonly ReviewRule[] = [];

  function find(number: number): Entry {
    const entry = entries[number - 1];
    if (entry === undefined) throw new ScmRefused(`there is no pull request ${number}`, "check the number");
    return entry;
  }

  function readHead(entry: Entry): string {
    return entry.ended?.head ?? remote.head(entry.draft.branch) ?? "";
  }

  function describe(entry: Entry): PullRequest {
    const { number, draft, author, ended } = entry;
    return {
      number,
      title: draft.title,
      branch: entry.fork ?? draft.branch,
      base: draft.base,
      headSha: readHead(entry),
      state: ended?.state ?? "open",
      url: `https://SCM.example/pull/${number}`,
      author,
      labels: entry.labels,
      createdAt: entry.openedAt,
      ...(entry.fork === undefined ? {} : { fork: true }),
      ...(ended?.sha === undefined ? {} : { mergedBy: ended.by, mergeSha: ended.sha }),
      ...(ended?.state === "closed" ? { closedBy: ended.by, closedAt: ended.at } : {}),
    };
  }

  function open(draft: PullRequestDraft, author: string, fork?: string): PullRequest {
    const same = entries.find(
      ({ draft: other, ended }) => !ended && other.branch === draft.branch && other.base === draft.base,
    );
    if (same !== undefined) return describe(same);
    const head = remote.head(draft.branch);
    if (head === undefined || head === remote.head(draft.base)) {
      throw new ScmRefused(`no commits between ${draft.base} and ${draft.branch}`, "push the branch first");
    }
    const number = entries.length + 1;
    const from = fork === undefined ? {} : { fork };
    const entry: Entry = { number, draft, author, reviews: [], labels: [], openedAt: now(), ...from };
    entries.push(entry);
    edits.push(`${author} open ${entry.number}`);
    return describe(entry);
  }

  function update(number: number, { title, body }: Pick<PullRequestDraft, "title" | "body">, by: string): boolean {
    const entry = find(number);
    if (entry.draft.title === title && entry.draft.body === body) return false;
    entry.draft = { ...entry.draft, title, body };
    edits.push(`${by} edit ${number}`);
    return true;
  }

  function close(number: number, by: string): void {
    const entry = find(number);
    if (entry.ended !== undefined) return;
    entry.ended = { head: readHead(entry), state: "closed", by, at: now() };
    edits.push(`${by} close ${number}`);
  }

  function addLabels(number: number, labels: readonly string[], by: string): void {
    const entry = find(number);
    entry.labels = [...new Set([...entry.labels, ...labels])];
    edits.push(`${by} label ${number}`);
  }

  const merging = createFakeMerging({ remote, protection, records, passed, edits, now, find, readHead });

  async function answer<T>(work: () => T): Promise<T> {
    if (down) throw new ScmUnavailable("the fake SCM is down");
    merging.settle();
    const done = work();
    merging.settle();
    return done;
  }

  return {
    as: (login) => ({
      // No limit here is ever used up.
      name: "GitHub",
      urgently: async (work) => work(),
      ...records.as(login, answer, (number) => issues.has(number) || find(number)),
      ...issues.as(login, answer),
      findPullRequest: async (number) => answer(() => entries.map(describe).find((pull) => pull.number === number)),
      listOpenPullRequests: async (base) =>
        answer(() => entries.filter((entry) => !entry.ended && entry.draft.base === base).map(describe)),
      openPullRequest: async (draft) => answer(() => open(draft, login)),
      findPullRequests: async (branch) =>
        answer(() =>
          entries
            .filter((entry) => entry.draft.branch === branch)
            .map(describe)
            .toReversed(),
        ),
      findByMergeCommit: async (sha) => answer(() => entries.map(describe).find((pull) => pull.mergeSha === sha)),
      updatePullRequest: async (number, text) => answer(() => update(number, text, login)),
      closePullRequest: async (number) => answer(() => close(number, login)),
      addLabels: async (number, labels) => answer(() => addLabels(number, labels, login)),
      teamMembers: async (slug) => answer(() => teams.get(slug)),
      reviews: async (number) => answer(() => [...find(number).reviews]),
      pullCommits: async (number) =>
        answer(() => {
          const entry = find(number);
          const base = remote.head(entry.draft.base) ?? "";
          return listPullCommits((sha) => remote.commit(sha), base, readHead(entry));
        }),
      ledgerRules: async () => answer(() => ledgerRules),
      ownLogin: async () => answer(() => login),
      missingRules: async () => answer(() => missingRules),
      merge: async (number, expectedHead, pace) =>
        answer(() => merging.merge(number, expectedHead, login, pace === "urgent")),
      queuedGroups: async () => answer(() => merging.groups()),
      mergeStyle: async () => answer(() => (protection.queue === true ? "queue" : "merge")),
    }),
    say: (number, comment) => records.say(number, comment),
    setPermission: (login, permission) => issues.setPermission(login, permission),
    editComment: (id, body) => issues.editComment(id, body),
    passCheck: (sha, name) => void passed.add(`${sha} ${name}`),
    review: (number, review) => {
      const entry = find(number);
      entry.reviews.push({ ...review, commit: readHead(entry), at: now() });
    },
    approvals: () =>
      entries.flatMap(({ reviews }) =>
        reviews.flatMap(({ state, author: by, commit: head, at }) => (state === "approved" ? [{ head, by, at }] : [])),
      ),
    writes: records.writes,
    edits,
    closePullRequest: (number, by) => close(number, by ?? find(number).author),
    openFromFork: (login, branch) => {
      const draft = { branch: `forks/${login}/${branch}`, base: "main", title: branch, body: "" };
      return open(draft, login, branch).number;
    },
    setLedgerRules: (rules) => void (ledgerRules = rules),
    setMissingRules: (rules) => void (missingRules = rules),
    setTeam: (slug, logins) => void teams.set(slug, logins),
    readText: (number) => {
      const { title, body } = find(number).draft;
      return { title, body };
    },
    setUnavailable: (value) => void (down = value),
  };
}
