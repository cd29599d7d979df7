import type { BranchMove } from "../git/branch-moves.ts";
import type { Hub } from "../state/hub.ts";
import { formatTime } from "./commit.ts";
import { htmlUrl } from "./repository.ts";

type Shape = Readonly<Record<string, unknown>>;

const nothing = "0".repeat(40);
const maxCommits = 20;

async function showHeadCommit(hub: Hub, sha: string): Promise<Shape | null> {
  const commit = await hub.repository.readCommit(sha);
  if (commit === undefined) return null;
  const { author, committer, message, tree } = commit;
  const people = {
    author: { name: author.name, email: author.email },
    committer: { name: committer.name, email: committer.email },
  };
  return {
    id: sha,
    tree_id: tree,
    message,
    timestamp: formatTime(committer.seconds),
    url: htmlUrl(hub, `/commit/${sha}`),
    ...people,
  };
}

async function listNew(hub: Hub, { before, after }: BranchMove): Promise<readonly Shape[]> {
  if (before === undefined || after === undefined) return [];
  const range = ["rev-list", "--reverse", `--max-count=${maxCommits}`, after, `^${before}`];
  const shas = (await hub.repository.git(range)).split("\n").filter((sha) => sha !== "");
  const commits = await Promise.all(shas.map(async (sha) => showHeadCommit(hub, sha)));
  return commits.filter((commit) => commit !== null);
}

/** Payload of the webhook `push`. */
export async function showPush(hub: Hub, move: BranchMove, login: string): Promise<Shape> {
  const { before, after, branch } = move;
  const rewinds = before !== undefined && after !== undefined && !(await hub.repository.isAncestor(before, after));
  return {
    ref: `refs/heads/${branch}`,
    before: before ?? nothing,
    after: after ?? nothing,
    created: before === undefined,
    deleted: after === undefined,
    forced: rewinds,
    base_ref: null,
    compare: htmlUrl(hub, `/compare/${before ?? nothing}...${after ?? nothing}`),
    commits: await listNew(hub, move),
    head_commit: after === undefined ? null : await showHeadCommit(hub, after),
    pusher: { name: login, email: hub.sign(login).email },
  };
}
