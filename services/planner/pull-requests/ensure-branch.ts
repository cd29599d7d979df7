import { type Commit, type CommitDraft, GitRefused, type RolloutsRepository } from "#libs/git";
import { type Origin, rolloutsPath } from "#libs/plan";
import { ScmRefused, type SignedOutcome } from "#libs/scm";

import type { ScmLink } from "./scm-link.ts";

/** Where branches of ours are read and written. */
type BranchPlace = Pick<ScmLink, "repository" | "scm" | "base">;

/** The author of all our commits; a commit by another author is left alone. */
const author = { name: "meshroll planner", email: "meshroll@localhost" };

/** The outcome of looking at, and perhaps pushing, a branch of ours. */
export type EnsuredBranch =
  | { readonly kind: "ready" }
  /** Another client pushed first, or main moved on: tried again in the next round. */
  | { readonly kind: "again" }
  /** A person committed to it, and a merge would not do what is wished: nothing is pushed on top of it. */
  | { readonly kind: "taken"; readonly by: string };

/** What a branch of ours must contain, based on one commit of main. */
export interface BranchWish {
  readonly origin: Origin;
  readonly branch: string;
  readonly main: string;
  /** `rollouts.yml` as the merge must leave it; nothing else may change. */
  readonly text: string;
  readonly message: string;
  /** True if the head must contain all of main, because the SCM refuses to merge it otherwise. */
  readonly upToDate?: boolean;
  /** True if the head needs approvals like any other, although it is ours. */
  readonly needsApproval?: boolean;
  /** The same text for another commit of main; undefined if it cannot be made there. */
  readonly textAt: (commit: string) => Promise<string | undefined>;
}

/** False if the SCM would refuse the head because it lacks commits of main. */
async function isNewEnough(
  repository: RolloutsRepository,
  head: string,
  { upToDate, main }: BranchWish,
): Promise<boolean> {
  return upToDate !== true || (await repository.contains(head, main));
}

/** True when merging the head does exactly what is wished, by whichever author its commits are. */
async function fulfils(repository: RolloutsRepository, head: string, wish: BranchWish): Promise<boolean> {
  if (!(await isNewEnough(repository, head, wish))) return false;
  const trial = await repository.tryMerge(wish.main, head);
  if (trial.kind === "conflict" || trial.changed.length !== 1 || trial.changed[0] !== rolloutsPath) return false;
  return (await repository.readMerged(wish.main, head, rolloutsPath)) === wish.text;
}

/** Git stores no later time in a commit, ms. */
const latestMs = 2 ** 32 * 1000;

/**
 * The commit of main that the branch is exactly one commit on top of, and that commit's time; undefined for any other branch.
 */
async function findStart(repository: RolloutsRepository, main: string, head: string) {
  const line = await repository.firstParents(main, head);
  const { parents = [], at = latestMs } = line[0] ?? {};
  const [startAt = ""] = parents;
  const isOne = line.length === 1 && parents.length === 1 && at < latestMs;
  return isOne && (await repository.contains(main, startAt)) ? { startAt, at, message: line[0]?.message } : undefined;
}

/**
 * True for a commit that the SCM made for us, and signed: made again it has another time and signature, and another id. So its
 * message and its change of its own parent are compared.
 */
async function isSignedForUs(place: BranchPlace, head: string, message: string, wish: BranchWish): Promise<boolean> {
  const { signer } = place.scm;
  if (signer === undefined || message.trimEnd() !== wish.message.trimEnd()) return false;
  return (await fulfils(place.repository, head, wish)) && signer.isOwn(head);
}

/**
 * True when merging the head does what is wished, and its only commit is the one that `ensureBranch` makes on that commit of
 * main. The commit is made again and the ids compared: a forged author does not give the same id. For one that the SCM made and
 * signed, the SCM is asked whose it is.
 */
export async function isMadeByUs(place: BranchPlace, head: string, wish: BranchWish): Promise<boolean> {
  const { repository } = place;
  const start = await findStart(repository, wish.main, head);
  if (start === undefined) return false;
  const { message = "", ...at } = start;
  const text = await wish.textAt(at.startAt);
  if (text === undefined || !(await fulfils(repository, head, { ...wish, upToDate: false }))) return false;
  const draft = { branch: wish.branch, files: { [rolloutsPath]: text }, message: wish.message, author, ...at };
  return (
    (await repository.makeCommit(draft)) === head ||
    isSignedForUs(place, head, message, { ...wish, main: at.startAt, text, upToDate: false })
  );
}

/** The first other author of commits that are on the branch and not on main; undefined when all are ours. */
export async function findForeignAuthor(
  { repository, scm }: BranchPlace,
  main: string,
  head: string,
): Promise<string | undefined> {
  const commits = await repository.firstParents(main, head);
  const isForeign = (commit: Commit): boolean => commit.author !== author.name;
  const found = commits.find(isForeign);
  // The SCM names its own account in commits that it signs.
  const own = found === undefined || scm.signer === undefined ? undefined : await scm.ownLogin();
  return commits.find((commit) => isForeign(commit) && commit.author !== own)?.author;
}

/** Makes and pushes a commit: by the SCM, which signs it, where main takes signed commits alone and git signs none. */
async function commitAndPush({ repository, scm, base }: BranchPlace, draft: CommitDraft): Promise<SignedOutcome> {
  const { signer } = scm;
  if (signer === undefined || (await repository.signsCommits()) || !(await signer.isDemanded(base)))
    return repository.commitAndPush(draft);
  const { branch, onto, startAt, replaces, merging, files, message } = draft;
  const parents = [onto ?? startAt, onto === undefined ? undefined : merging].filter((sha) => sha !== undefined);
  const expected = onto ?? replaces;
  const signed = { branch, parents, filesOf: parents.at(-1) ?? "", files, message };
  return signer.commit(expected === undefined ? signed : { ...signed, expected });
}

function readPush({ kind }: { readonly kind: string }): EnsuredBranch {
  return { kind: kind === "pushed" ? "ready" : "again" };
}

/** With another time the same content is a new commit, and so a new head. */
async function dateLater(repository: RolloutsRepository, draft: Draft, head: string, main: string): Promise<Draft> {
  const [commit] = await repository.firstParents(main, head);
  return commit === undefined ? draft : { ...draft, at: commit.at + 1000 };
}

type Draft = Omit<CommitDraft, "onto" | "startAt" | "replaces" | "merging">;

/**
 * If the repository refuses forced pushes, one more commit is added. Then the head needs approvals: only a branch of one commit
 * can be recognised as ours.
 */
async function replace(place: BranchPlace, draft: Draft, head: string, wish: BranchWish): Promise<EnsuredBranch> {
  const { main } = wish;
  try {
    return readPush(await commitAndPush(place, { ...draft, startAt: main, replaces: head }));
  } catch (error) {
    if (!(error instanceof GitRefused || error instanceof ScmRefused)) throw error;
    if (await fulfils(place.repository, head, wish)) return { kind: "ready" };
    return readPush(await commitAndPush(place, { ...draft, onto: head, merging: main }));
  }
}

/** For a branch with a person's commit: left as it is, or one more commit of ours if a person asked for that. */
async function leaveOrAdd(
  place: BranchPlace,
  draft: Draft,
  { head, by }: { readonly head: string; readonly by: string },
  wish: BranchWish,
  { forced, overrule }: { readonly forced: boolean; readonly overrule: boolean },
): Promise<EnsuredBranch> {
  if (!forced && (await fulfils(place.repository, head, wish))) return { kind: "ready" };
  if (!overrule) return { kind: "taken", by };
  return readPush(await commitAndPush(place, { ...draft, onto: head, merging: wish.main }));
}

/**
 * Creates a branch of ours, or makes it again on the newest main, unless it is the one commit that it must be. Commits of
 * people stay; if such a branch does what is wished, it is left as it is. `forced`: made again in any case. `overrule`: a
 * person asked for a commit of ours on top of others' commits.
 */
export async function ensureBranch(
  place: BranchPlace,
  wish: BranchWish,
  forced = false,
  overrule = false,
): Promise<EnsuredBranch> {
  const { branch, main, text, message } = wish;
  const draft = { branch, files: { [rolloutsPath]: text }, message, author };
  const head = await place.repository.resolve(branch);
  if (head === undefined) return readPush(await commitAndPush(place, { ...draft, startAt: main }));
  const isOurs = await isMadeByUs(place, head, wish);
  if (isOurs && !forced && (await isNewEnough(place.repository, head, wish))) return { kind: "ready" };
  const by = await findForeignAuthor(place, main, head);
  if (by !== undefined) return leaveOrAdd(place, draft, { head, by }, wish, { forced, overrule });
  return replace(place, isOurs ? await dateLater(place.repository, draft, head, main) : draft, head, wish);
}
