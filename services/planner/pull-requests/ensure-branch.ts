import type { RolloutsRepository } from "#libs/git";
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
}

/** True when merging a head into main does what was wished, and nothing else: no matter who committed it. */
async function fulfils(repository: RolloutsRepository, head: string, wish: BranchWish): Promise<boolean> {
  if (wish.upToDate === true && !(await repository.contains(head, wish.main))) return false;
  const trial = await repository.tryMerge(wish.main, head);
  if (trial.kind === "conflict" || trial.changed.length !== 1 || trial.changed[0] !== rolloutsPath) return false;
  return (await repository.readMerged(wish.main, head, rolloutsPath)) === wish.text;
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
  const isReady = await fulfils(repository, head, wish);
  if (isReady && !forced) return { kind: "ready" };
  const by = overrule ? undefined : await findStranger(repository, main, head);
  if (by !== undefined) return { kind: "taken", by };
  const made = await repository.commitAndPush({ ...draft, onto: head, ...(isReady ? {} : { merging: main }) });
  return readPush(made);
}
