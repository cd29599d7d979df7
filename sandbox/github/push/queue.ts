import { showPullEvent } from "../shapes/pull-request.ts";
import { readDemands } from "../state/demands.ts";
import type { Hub } from "../state/hub.ts";
import { makeMergeCommit } from "../state/merge.ts";
import type { MergeMethod } from "../state/options.ts";
import { readCheckState } from "../state/protection.ts";
import type { Pull, QueueEntry } from "../state/state.ts";

/** The account that GitHub's queue merges as. */
const queueLogin = "github-merge-queue[bot]";

function findPull({ state }: Hub, { pull }: QueueEntry): Pull | undefined {
  return state.pulls.find(({ number }) => number === pull);
}

function readMethod(hub: Hub): MergeMethod {
  const rule = (hub.protection.rules ?? []).find(({ type }) => type === "merge_queue");
  const asked = rule?.parameters?.["merge_method"];
  return (["squash", "rebase"] as const).find((method) => method.toUpperCase() === asked) ?? "merge";
}

function emitGroup(hub: Hub, { by, group }: QueueEntry, action: string, reason?: string): void {
  if (group === undefined) return;
  const group_ = {
    head_sha: group.sha,
    head_ref: `refs/heads/${group.branch}`,
    base_sha: group.base,
    base_ref: `refs/heads/${hub.defaultBranch}`,
  };
  hub.emit("merge_group", by, { action, ...(reason === undefined ? {} : { reason }), merge_group: group_ });
}

async function deleteGroup(hub: Hub, entry: QueueEntry, reason: string): Promise<void> {
  if (entry.group === undefined) return;
  await hub.repository.git(["update-ref", "-d", `refs/heads/${entry.group.branch}`]);
  emitGroup(hub, entry, "destroyed", reason);
  delete entry.group;
}

/** Takes a pull request out of the queue; those behind it are tested again without it. */
async function remove(hub: Hub, entry: QueueEntry, reason: string): Promise<void> {
  const { state } = hub;
  const place = state.queue.indexOf(entry);
  for (const each of state.queue.slice(place)) await deleteGroup(hub, each, "invalidated");
  state.queue.splice(place, 1);
  state.removals.push({ pull: entry.pull, head: entry.head, reason, by: queueLogin, at: hub.now() });
  const pull = findPull(hub, entry);
  if (pull !== undefined)
    hub.emit("pull_request", queueLogin, { ...(await showPullEvent(hub, pull, "dequeued")), reason });
}

/** Makes the branches of entries that have none, each on top of the one before. */
async function makeGroups(hub: Hub, base: string): Promise<boolean> {
  let tip = base;
  for (const entry of hub.state.queue) {
    const pull = findPull(hub, entry);
    if (pull === undefined) throw new Error(`the queue has pull request ${entry.pull}, which does not exist`);
    // One before it was added or taken out.
    if (entry.group !== undefined && entry.group.base !== tip) await deleteGroup(hub, entry, "invalidated");
    if (entry.group === undefined) {
      const sha = await makeMergeCommit(hub, pull, tip, { method: readMethod(hub), by: entry.by });
      if (sha === undefined) {
        await remove(hub, entry, "MERGE_CONFLICT");
        return true;
      }
      const branch = `gh-readonly-queue/${hub.defaultBranch}/pr-${pull.number}-${tip}`;
      await hub.repository.git(["update-ref", `refs/heads/${branch}`, sha]);
      entry.group = { branch, sha, base: tip };
      emitGroup(hub, entry, "checks_requested");
      return true;
    }
    tip = entry.group.sha;
  }
  return false;
}

async function mergeFirst(hub: Hub, entry: QueueEntry, base: string): Promise<boolean> {
  const { group } = entry;
  const pull = findPull(hub, entry);
  if (group === undefined || pull === undefined) return false;
  if (!(await hub.repository.moveBranch(pull.base, group.sha, base))) return false;
  hub.state.queue.shift();
  await deleteGroup(hub, { ...entry, group }, "merged");
  const at = hub.now();
  pull.merged = { at, by: queueLogin, sha: group.sha, baseSha: base, method: readMethod(hub) };
  Object.assign(pull, { state: "closed", closedAt: at, updatedAt: at });
  hub.emit("pull_request", queueLogin, await showPullEvent(hub, pull, "closed"));
  return true;
}

/** Why an entry cannot stay in the queue, in GitHub's words of `dequeued`. */
function findRemoval(hub: Hub, entry: QueueEntry): string | undefined {
  const pull = findPull(hub, entry);
  if (pull?.state !== "open") return "MANUAL";
  if (pull.head !== entry.head) return "BRANCH_UPDATED";
  const { checks } = readDemands(hub.protection);
  const failed = checks.some(
    (name) => entry.group !== undefined && readCheckState(hub, entry.group.sha, name) === "failed",
  );
  return failed ? "CI_FAILURE" : undefined;
}

/** One step of the queue; false when it has nothing to do until a check, a push or a merge arrives. */
async function step(hub: Hub, base: string): Promise<boolean> {
  const { queue } = hub.state;
  for (const entry of queue) {
    const reason = findRemoval(hub, entry);
    if (reason === undefined) continue;
    await remove(hub, entry, reason);
    return true;
  }
  const [first] = queue;
  const { checks } = readDemands(hub.protection);
  const { group } = first ?? {};
  const isTested = group?.base === base;
  const isGreen = isTested && checks.every((name) => readCheckState(hub, group.sha, name) === "green");
  if (first !== undefined && isGreen) return mergeFirst(hub, first, base);
  return makeGroups(hub, base);
}

/** Lets the merge queue do what it can do now. True if a branch may have moved. */
export async function advanceQueue(hub: Hub): Promise<boolean> {
  const base = hub.branches().get(hub.defaultBranch);
  return base !== undefined && hub.state.queue.length > 0 && step(hub, base);
}
