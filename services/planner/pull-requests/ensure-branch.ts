import type { Commit, CommitDraft, RolloutsRepository } from "#libs/git";
import { rolloutsPath } from "#libs/plan";

/** Every commit of ours on a branch of ours carries this name; what another name committed there is left alone. */
const author = { name: "meshroll planner", email: "meshroll@localhost" };

/** A branch of ours after it was looked at. */
export type EnsuredBranch =
  | { readonly kind: "ready" }
  /** Another client was first, or the snapshot moved on: tried again in the next round. */
  | { readonly kind: "again" }
  /** A person committed to it, and it does something else than it should: nothing of ours is put on top. */
  | { readonly kind: "taken"; readonly by: string };

/** What the branch must be, against one main. */
export interface BranchWish {
  readonly branch: string;
  readonly main: string;
  /** `rollouts.yml` as main shall have it; nothing else changes. */
  readonly text: string;
  readonly message: string;
  /** GitHub merges it only with all of main in it. */
  readonly upToDate?: boolean;
  /** It counts like any other head, though it is ours. */
  readonly needsPeople?: boolean;
  /** The same for any commit of main; undefined where nothing can be written there. */
  readonly textAt: (commit: string) => Promise<string | undefined>;
}

/** True when merging a head into main does what was wished, and nothing else: no matter who committed it. */
async function fulfils(repository: RolloutsRepository, head: string, wish: BranchWish): Promise<boolean> {
  if (wish.upToDate === true && !(await repository.contains(head, wish.main))) return false;
  const trial = await repository.tryMerge(wish.main, head);
  if (trial.kind === "conflict" || trial.changed.length !== 1 || trial.changed[0] !== rolloutsPath) return false;
  return (await repository.readMerged(wish.main, head, rolloutsPath)) === wish.text;
}

/** Main is taken in again each time that it changes the same lines: a branch of more commits than this is not read. */
const mostCommits = 50;

/** The draft whose commit this one would be. */
async function redraft(
  repository: RolloutsRepository,
  { branch, main, message, textAt }: BranchWish,
  { parents, at }: Commit,
): Promise<CommitDraft | undefined> {
  const [onto, merging] = parents;
  const base = merging ?? onto;
  if (onto === undefined || base === undefined || !(await repository.contains(main, base))) return undefined;
  const text = await textAt(base);
  const made = { branch, onto, ...(merging === undefined ? {} : { merging }), message, author, at };
  return text === undefined ? undefined : { ...made, files: { [rolloutsPath]: text } };
}

/**
 * True when merging the head does what was wished, and each commit that it brings is the one that `ensureBranch` makes there: its
 * id says so. Who writes our name into a commit with other content, or puts ours on top of one, has another id.
 */
export async function isMadeByUs(repository: RolloutsRepository, head: string, wish: BranchWish): Promise<boolean> {
  const line = await repository.firstParents(wish.main, head);
  const isThere = line.length > 0 && (await fulfils(repository, head, { ...wish, upToDate: false }));
  if (!isThere || line.length > mostCommits) return false;
  for (const commit of line) {
    const draft = await redraft(repository, wish, commit);
    if (draft === undefined || (await repository.makeCommit(draft)) !== commit.sha) return false;
  }
  return true;
}

/** Whose commits are on the branch and not on main; undefined when all are ours. */
export async function findStranger(
  repository: RolloutsRepository,
  main: string,
  head: string,
): Promise<string | undefined> {
  const commits = await repository.firstParents(main, head);
  return commits.find((commit) => commit.author !== author.name)?.author;
}

function readPush({ kind }: { readonly kind: string }): EnsuredBranch {
  return { kind: kind === "pushed" ? "ready" : "again" };
}

/**
 * Makes a branch of ours, or brings it up to a main that moved on, where it has to be or would lead elsewhere. Pushes are
 * fast-forward only, so whatever a person committed there stays; a branch that leads where it should is left as it is.
 * `forced`: it gets one more commit all the same. `overrule`: also on top of what a person committed, because a person
 * requested it.
 */
export async function ensureBranch(
  repository: RolloutsRepository,
  wish: BranchWish,
  forced = false,
  overrule = false,
): Promise<EnsuredBranch> {
  const { branch, main, text, message } = wish;
  const draft = { branch, files: { [rolloutsPath]: text }, message, author };
  const head = await repository.resolve(branch);
  if (head === undefined) {
    const made = await repository.commitAndPush({ ...draft, startAt: main });
    return readPush(made);
  }
  if (!forced && (await fulfils(repository, head, wish))) return { kind: "ready" };
  const by = overrule ? undefined : await findStranger(repository, main, head);
  if (by !== undefined) return { kind: "taken", by };
  const made = await repository.commitAndPush({ ...draft, onto: head, merging: main });
  return readPush(made);
}
