import type { BranchMove } from "../git/branch-moves.ts";
import type { Hub } from "../state/hub.ts";
import { showPullEvent } from "../shapes/pull-request.ts";
import { showPush } from "../shapes/push.ts";
import { nameHeadBranch, type Pull } from "../state/state.ts";

async function closePull(hub: Hub, pull: Pull, login: string): Promise<void> {
  pull.state = "closed";
  pull.closedAt = hub.now();
  pull.closedBy = login;
  pull.updatedAt = hub.now();
  hub.emit("pull_request", login, await showPullEvent(hub, pull, "closed"));
}

/** As on GitHub, a pull request counts as merged when its head reaches the base by a push. Returns the commit of the base. */
async function findIndirectMerge(hub: Hub, pull: Pull, base: string, before: string): Promise<string | undefined> {
  if (!(await hub.repository.isAncestor(pull.head, base))) return undefined;
  const range = ["rev-list", "--first-parent", "--reverse", base, `^${before}`];
  for (const sha of (await hub.repository.git(range)).split("\n")) {
    if (sha !== "" && (await hub.repository.isAncestor(pull.head, sha))) return sha;
  }
  return undefined;
}

async function followHead(hub: Hub, pull: Pull, move: BranchMove, login: string): Promise<void> {
  if (move.after === undefined) {
    await closePull(hub, pull, login);
    return;
  }
  const before = pull.head;
  pull.head = move.after;
  pull.updatedAt = hub.now();
  const event = await showPullEvent(hub, pull, "synchronize");
  hub.emit("pull_request", login, { ...event, before, after: move.after });
}

async function followBase(hub: Hub, pull: Pull, move: BranchMove, login: string): Promise<void> {
  if (move.after === undefined || move.before === undefined) return;
  const sha = await findIndirectMerge(hub, pull, move.after, move.before);
  if (sha === undefined) return;
  pull.merged = { at: hub.now(), by: login, sha, baseSha: move.before };
  await closePull(hub, pull, login);
}

/** For a change on disk: the user whose address is the committer's, else the owner. */
async function guessPusher(hub: Hub, { after }: BranchMove): Promise<string> {
  const tip = after === undefined ? undefined : await hub.repository.readCommit(after);
  return hub.users.find(({ login }) => hub.sign(login).email === tip?.committer.email)?.login ?? hub.owner;
}

/** Updates pull requests after branches moved, and sends webhooks. `known` is undefined for a change on disk. */
export async function followBranches(hub: Hub, moves: readonly BranchMove[], known: string | undefined): Promise<void> {
  for (const move of moves) {
    const login = known ?? (await guessPusher(hub, move));
    hub.state.pushers.set(move.branch, login);
    hub.state.pushedAt = hub.now();
    hub.emit("push", login, await showPush(hub, move, login));
    for (const pull of hub.state.pulls.filter((entry) => entry.state === "open")) {
      if (nameHeadBranch(pull) === move.branch && pull.head !== move.after) await followHead(hub, pull, move, login);
      else if (pull.base === move.branch) await followBase(hub, pull, move, login);
    }
  }
}
