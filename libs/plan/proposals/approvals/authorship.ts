import type { AuthorshipGap } from "#libs/wording";

/** A commit that a pull request brings, by the accounts that the SCM knows behind it. */
export interface CommitFacts {
  readonly sha: string;
  readonly parents: readonly string[];
  /** Logins; absent: no account is known. */
  readonly author?: string;
  readonly committer?: string;
  readonly coAuthors: readonly string[];
  readonly unknownCoAuthors: number;
}

/** A move of the pull request's branch. */
export interface PushFacts {
  /** Absent: the branch was made. */
  readonly before?: string;
  /** Absent: the branch was deleted. */
  readonly after?: string;
  /** Absent: the account is not known. */
  readonly by?: string;
  /** `merge`: of another pull request, whose pushers are those of another branch. */
  readonly kind: "push" | "merge";
}

/** Who wrote and pushed what a pull request brings, as far as the SCM tells. */
export interface Authorship {
  readonly commits: readonly CommitFacts[];
  /** False: there are more commits than the SCM lists. */
  readonly isWhole: boolean;
  /** Of its branch, newest first; absent: the SCM does not report them. */
  readonly pushes?: readonly PushFacts[];
  /** Our own login; absent: not known. */
  readonly self?: string;
}

/** People whose approval of a pull request is their own word about their own work. */
export interface Contributors {
  /** In lower case. */
  readonly logins: ReadonlySet<string>;
  /** What is not known of who took part; empty: everything is. */
  readonly unknown: readonly AuthorshipGap[];
}

/** GitHub's own account, which commits what was written on its pages. */
const webFlow = "web-flow";

/** An app's login, as no person's account may be called. */
const appLogin = /\[bot\]$/u;

/**
 * Commits that our own pushes made: each of them brings one, on top of the head or of main. Only where our token is an app's:
 * what a person pushes by a personal token looks like ours, and may be the work of another under an address without account.
 */
function listOwn({ commits, pushes = [], self }: Authorship): ReadonlySet<string> {
  if (self === undefined || !appLogin.test(self)) return new Set();
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const own = pushes.flatMap(({ before, after, by, kind }) => {
    const commit = bySha.get(after ?? "");
    if (commit === undefined || by !== self || kind !== "push") return [];
    const [parent = ""] = commit.parents;
    return before === parent || (before === undefined && !bySha.has(parent)) ? [commit.sha] : [];
  });
  return new Set(own);
}

interface Found {
  readonly logins: readonly string[];
  readonly unknown: readonly AuthorshipGap[];
}

function readCommit({ sha, author, committer, coAuthors, unknownCoAuthors }: CommitFacts): Found {
  const logins = [author, committer, ...coAuthors].filter((login) => login !== undefined && login !== webFlow);
  const unknown: readonly AuthorshipGap[] = [
    ...(author === undefined ? [{ code: "Author" as const, sha }] : []),
    ...(committer === undefined ? [{ code: "Committer" as const, sha }] : []),
    ...(unknownCoAuthors > 0 ? [{ code: "CoAuthor" as const, sha }] : []),
  ];
  return { logins: logins.filter((login) => login !== undefined), unknown };
}

/** Commits that lie next to the branch's own line: another branch was merged, whose pushers its activity does not show. */
function hasForeignLine({ commits }: Authorship, head: string): boolean {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const line = new Set<string>();
  for (let commit = bySha.get(head); commit !== undefined && !line.has(commit.sha);) {
    line.add(commit.sha);
    commit = bySha.get(commit.parents[0] ?? "");
  }
  return line.size < bySha.size;
}

/** Moves from the head back to the making of the branch, without a gap; undefined when some of them are missing. */
function followPushes(pushes: readonly PushFacts[], head: string): readonly PushFacts[] | undefined {
  const line: PushFacts[] = [];
  let wanted: string | undefined = head;
  for (const push of pushes) {
    if (push.after !== wanted) return undefined;
    line.push(push);
    if (push.before === undefined) return line;
    wanted = push.before;
  }
  return undefined;
}

function readPushes({ pushes, commits }: Authorship, head: string): Found {
  if (pushes === undefined) return { logins: [], unknown: [{ code: "Pushes" }] };
  const shas = new Set(commits.map(({ sha }) => sha));
  const line = followPushes(pushes, head);
  // Also what an earlier branch of the name held, as far as it is among the commits again.
  const concerned = [...(line ?? []), ...pushes.filter(({ after }) => shas.has(after ?? ""))];
  const unknown = [
    ...(line === undefined ? [{ code: "EarlierPushes" as const }] : []),
    ...(concerned.some(({ by }) => by === undefined) ? [{ code: "PushAccount" as const }] : []),
    ...(concerned.some(({ kind }) => kind === "merge") ? [{ code: "MergedPushes" as const }] : []),
  ];
  return { logins: concerned.map(({ by }) => by).filter((by) => by !== undefined), unknown };
}

/**
 * Who authored, committed or pushed anything that a pull request brings, its author included. Names in commits are claims of
 * who wrote them; only the SCM's record of pushes is more, so what is missing of it is named (rules 10.1).
 */
export function findContributors(author: string, head: string, authorship: Authorship | undefined): Contributors {
  const own = author.toLowerCase();
  if (authorship === undefined) return { logins: new Set([own]), unknown: [{ code: "Authors" }] };
  const { commits, isWhole } = authorship;
  const ours = listOwn(authorship);
  const found = commits.filter(({ sha }) => !ours.has(sha)).map(readCommit);
  const pushed = readPushes(authorship, head);
  // Our own login stays among them: with a personal token it is a person's, whose pushes look like ours.
  const others = [...found.flatMap(({ logins }) => logins), ...pushed.logins];
  const unknown = [
    ...(isWhole && commits.some(({ sha }) => sha === head) ? [] : [{ code: "Commits" as const }]),
    ...(hasForeignLine(authorship, head) ? [{ code: "MergedBranch" as const }] : []),
    ...pushed.unknown,
    ...found.flatMap((each) => each.unknown),
  ];
  return { logins: new Set([own, ...others.map((login) => login.toLowerCase())]), unknown };
}
