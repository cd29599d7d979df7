import type { RolloutsRepository } from "#libs/git";
import { type AskedReturn, isReturned, rolloutsPath } from "#libs/plan";

/** Every commit of ours on a return's branch carries this name; what another name committed there is left alone. */
const author = { name: "meshroll planner", email: "meshroll@localhost" };

/** The branch of a return after it was looked at. */
export type ReturnBranch =
  | { readonly kind: "ready" }
  /** Somebody else was first, or the world moved on: looked at again in the next round. */
  | { readonly kind: "again" }
  /** A person committed to it, and it does not lead back: nothing of ours is put on top. */
  | { readonly kind: "taken"; readonly by: string };

/** What the branch must be, against one main. */
export interface ReturnWish {
  readonly asked: AskedReturn;
  readonly main: string;
  /** The file as main shall have it. */
  readonly text: string;
  readonly oldText: string;
}

/** True when merging the branch does what was asked, and nothing else. */
async function leadsBack(repository: RolloutsRepository, head: string, wish: ReturnWish): Promise<boolean> {
  const trial = await repository.tryMerge(wish.main, head);
  if (trial.kind === "conflict" || trial.changed.length !== 1 || trial.changed[0] !== rolloutsPath) return false;
  const text = await repository.readMerged(wish.main, head, rolloutsPath);
  return isReturned(wish.asked.run, text ?? "", wish.oldText) && text === wish.text;
}

/** Whose commits are on the branch and not on main; undefined when all are ours. */
async function findStranger(repository: RolloutsRepository, main: string, head: string): Promise<string | undefined> {
  const commits = await repository.firstParents(main, head);
  return commits.find((commit) => commit.author !== author.name)?.author;
}

function writeMessage({ run, stop }: AskedReturn): string {
  return `Roll back run ${run.id}: ${stop.why}\n\nAsked by ${stop.who}.`;
}

/**
 * Makes the branch of a return, or brings it up to a main that moved on. Pushes are fast-forward only, so whatever a person
 * committed there stays; a branch that leads where it should is left as it is.
 */
export async function ensureReturnBranch(repository: RolloutsRepository, wish: ReturnWish): Promise<ReturnBranch> {
  const { asked, main, text } = wish;
  const { branch } = asked;
  const draft = { branch, files: { [rolloutsPath]: text }, message: writeMessage(asked), author };
  const head = await repository.resolve(branch);
  if (head === undefined) {
    const made = await repository.commitAndPush({ ...draft, startAt: main });
    return { kind: made.kind === "pushed" ? "ready" : "again" };
  }
  if (await leadsBack(repository, head, wish)) return { kind: "ready" };
  const by = await findStranger(repository, main, head);
  if (by !== undefined) return { kind: "taken", by };
  const made = await repository.commitAndPush({ ...draft, onto: head, merging: main });
  return { kind: made.kind === "pushed" ? "ready" : "again" };
}
