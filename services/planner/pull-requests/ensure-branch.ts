import { type CommitDraft, GitRefused, type RolloutsRepository } from "#libs/git";
import { type Origin, rolloutsPath } from "#libs/plan";

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
  readonly origin: Origin;
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

/** GitHub may merge only what has all of main. */
async function isNewEnough(
  repository: RolloutsRepository,
  head: string,
  { upToDate, main }: BranchWish,
): Promise<boolean> {
  return upToDate !== true || (await repository.contains(head, main));
}

/** True when merging a head into main does what was wished, and nothing else: no matter who committed it. */
async function fulfils(repository: RolloutsRepository, head: string, wish: BranchWish): Promise<boolean> {
  if (!(await isNewEnough(repository, head, wish))) return false;
  const trial = await repository.tryMerge(wish.main, head);
  if (trial.kind === "conflict" || trial.changed.length !== 1 || trial.changed[0] !== rolloutsPath) return false;
  return (await repository.readMerged(wish.main, head, rolloutsPath)) === wish.text;
}

/** Git writes no later time into a commit, ms. */
const latestMs = 2 ** 32 * 1000;

/** The commit of main that the branch is one commit on top of, and when that one was made; undefined for any other branch. */
async function findStart(repository: RolloutsRepository, main: string, head: string) {
  const line = await repository.firstParents(main, head);
  const { parents = [], at = latestMs } = line[0] ?? {};
  const [startAt = ""] = parents;
  const isOne = line.length === 1 && parents.length === 1 && at < latestMs;
  return isOne && (await repository.contains(main, startAt)) ? { startAt, at } : undefined;
}

/**
 * True when merging the head does what was wished, and all that it brings is the one commit that `ensureBranch` makes on that main,
 * as its id says. Who writes our name into a commit with other content, or puts it on top of one, has another id.
 */
export async function isMadeByUs(repository: RolloutsRepository, head: string, wish: BranchWish): Promise<boolean> {
  const start = await findStart(repository, wish.main, head);
  const text = start === undefined ? undefined : await wish.textAt(start.startAt);
  if (text === undefined || !(await fulfils(repository, head, { ...wish, upToDate: false }))) return false;
  const draft = { branch: wish.branch, files: { [rolloutsPath]: text }, message: wish.message, author, ...start };
  return (await repository.makeCommit(draft)) === head;
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

/** A commit with the same content needs another time, else it is the same commit and no new head. */
async function dateLater(repository: RolloutsRepository, draft: Draft, head: string, main: string): Promise<Draft> {
  const [commit] = await repository.firstParents(main, head);
  return commit === undefined ? draft : { ...draft, at: commit.at + 1000 };
}

type Draft = Omit<CommitDraft, "onto" | "startAt" | "replaces" | "merging">;

/** Where the repository takes no forced push it gets one more commit, and needs people: only one commit alone tells whose it is. */
async function replace(
  repository: RolloutsRepository,
  draft: Draft,
  head: string,
  wish: BranchWish,
): Promise<EnsuredBranch> {
  const { main } = wish;
  try {
    return readPush(await repository.commitAndPush({ ...draft, startAt: main, replaces: head }));
  } catch (error) {
    if (!(error instanceof GitRefused)) throw error;
    if (await fulfils(repository, head, wish)) return { kind: "ready" };
    return readPush(await repository.commitAndPush({ ...draft, onto: head, merging: main }));
  }
}

/** For a branch with a person's commit: left as it is, or with one more commit of ours where a person asked for that. */
async function leaveOrAdd(
  repository: RolloutsRepository,
  draft: Draft,
  { head, by }: { readonly head: string; readonly by: string },
  wish: BranchWish,
  { forced, overrule }: { readonly forced: boolean; readonly overrule: boolean },
): Promise<EnsuredBranch> {
  if (!forced && (await fulfils(repository, head, wish))) return { kind: "ready" };
  if (!overrule) return { kind: "taken", by };
  return readPush(await repository.commitAndPush({ ...draft, onto: head, merging: wish.main }));
}

/**
 * Makes a branch of ours, or makes it again on a main that moved on, where it is not the one commit that it has to be. What a person
 * committed there stays: a branch that leads where it should is left as it is.
 * `forced`: it is made again all the same. `overrule`: one more commit also on top of what a person committed, because a person
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
  if (head === undefined) return readPush(await repository.commitAndPush({ ...draft, startAt: main }));
  const isOurs = await isMadeByUs(repository, head, wish);
  if (isOurs && !forced && (await isNewEnough(repository, head, wish))) return { kind: "ready" };
  const by = await findStranger(repository, main, head);
  if (by !== undefined) return leaveOrAdd(repository, draft, { head, by }, wish, { forced, overrule });
  return replace(repository, isOurs ? await dateLater(repository, draft, head, main) : draft, head, wish);
}
