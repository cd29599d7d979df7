import type { CommitFacts, Person } from "../git/commit-facts.ts";
import type { Hub } from "./hub.ts";
import type { MergeMethod } from "./options.ts";
import type { Pull } from "./state.ts";

export interface MergeWish {
  readonly method: MergeMethod;
  readonly title?: string;
  readonly message?: string;
  readonly by: string;
}

const github: Omit<Person, "seconds"> = { name: "GitHub", email: "noreply@github.com" };

async function listCommits(hub: Hub, base: string, head: string): Promise<readonly CommitFacts[]> {
  const shas = (await hub.repository.git(["rev-list", "--reverse", "--no-merges", head, `^${base}`])).split("\n");
  const commits = await Promise.all(
    shas.filter((sha) => sha !== "").map(async (sha) => hub.repository.readCommit(sha)),
  );
  return commits.filter((commit) => commit !== undefined);
}

/**
 * The tree after applying a commit's change to another tip. Git 2.39 takes no option for a merge's base, so three commits are
 * made whose common ancestor is that base.
 */
async function pickTree(hub: Hub, commit: CommitFacts, tip: string, by: Person): Promise<string | undefined> {
  const { repository } = hub;
  const parent = await repository.readCommit(commit.parents[0] ?? "");
  const make = async (tree: string, parents: readonly string[]): Promise<string> =>
    repository.writeCommit({ tree, parents, message: "pick", author: by, committer: by });
  const empty = (await repository.git(["hash-object", "-w", "-t", "tree", "--stdin"], { input: "" })).trim();
  const base = await make(parent?.tree ?? empty, []);
  const ours = await make((await repository.readCommit(tip))?.tree ?? empty, [base]);
  return repository.mergeTree(ours, await make(commit.tree, [base]));
}

/** Makes each commit again on top of the base, with its author and message. */
async function rebase(hub: Hub, base: string, head: string, by: string): Promise<string | undefined> {
  let tip = base;
  for (const commit of await listCommits(hub, base, head)) {
    const tree = await pickTree(hub, commit, tip, hub.sign(by));
    if (tree === undefined) return undefined;
    const { message, author } = commit;
    tip = await hub.repository.writeCommit({ tree, parents: [tip], message, author, committer: hub.sign(by) });
  }
  return tip;
}

function joinMessage(title: string, body: string): string {
  return body === "" ? title : `${title}\n\n${body}`;
}

/** Makes the commit that the merge puts on the base, without moving a branch. Undefined on a conflict. */
export async function makeMergeCommit(
  hub: Hub,
  pull: Pull,
  base: string,
  wish: MergeWish,
): Promise<string | undefined> {
  const tree = await hub.mergeability(base, pull.head);
  hub.computedMerges.note(base, pull.head);
  if (tree === undefined) return undefined;
  const committer = { ...github, seconds: hub.sign(wish.by).seconds };
  switch (wish.method) {
    case "merge": {
      const title = wish.title ?? `Merge pull request #${pull.number} from ${hub.owner}/${pull.branch}`;
      const message = joinMessage(title, wish.message ?? pull.title);
      return hub.repository.writeCommit({
        tree,
        parents: [base, pull.head],
        message,
        author: hub.sign(wish.by),
        committer,
      });
    }
    case "squash": {
      const message = joinMessage(wish.title ?? `${pull.title} (#${pull.number})`, wish.message ?? "");
      return hub.repository.writeCommit({ tree, parents: [base], message, author: hub.sign(pull.author), committer });
    }
    case "rebase":
      return rebase(hub, base, pull.head, wish.by);
  }
}
