import { z } from "zod";

import { parseAnswer } from "../../http/parse-answer.ts";
import type { MergeOutcome, QueuedGroup } from "../../port/port.ts";
import { readRefusal } from "../calls/graphql-refusal.ts";
import { once, type Wire } from "../calls/wire.ts";

type Place = Pick<Wire, "octokit" | "here">;

/** Whether a pull request is in the queue, and the newest event of pushes to it and of the queue. */
const entryQuery = `query queueEntry ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      id isInMergeQueue
      timelineItems(last: 1, itemTypes: [
        ADDED_TO_MERGE_QUEUE_EVENT, REMOVED_FROM_MERGE_QUEUE_EVENT, PULL_REQUEST_COMMIT, HEAD_REF_FORCE_PUSHED_EVENT
      ]) { nodes { __typename ... on RemovedFromMergeQueueEvent { reason createdAt actor { login } } } }
    }
  }
}`;

/** GitHub refuses another head than the expected one, and takes a pull request out of the queue when its head changes. */
const enqueueQuery = `mutation enqueue ($id: ID!, $head: GitObjectID!, $jump: Boolean!) {
  enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $head, jump: $jump }) { mergeQueueEntry { position } }
}`;

/** Reason, time and actor are of a removal. */
const queueEvent = z.object({
  __typename: z.string(),
  reason: z.string().nullish(),
  createdAt: z.string().nullish(),
  actor: z.object({ login: z.string() }).nullish(),
});
type QueueEvent = z.infer<typeof queueEvent>;

const entryAnswer = z.object({
  repository: z.object({
    pullRequest: z.object({
      id: z.string(),
      isInMergeQueue: z.boolean(),
      timelineItems: z.object({
        nodes: z.array(queueEvent),
      }),
    }),
  }),
});

async function send({ octokit }: Place, id: string, head: string, jump: boolean): Promise<MergeOutcome> {
  try {
    await octokit.graphql(enqueueQuery, { id, head, jump, ...once });
    return { kind: "queued" };
  } catch (error) {
    const why = readRefusal(error);
    if (why === undefined) throw error;
    // Someone was faster.
    return /already in (?:the|a) (?:merge )?queue/iu.test(why) ? { kind: "queued" } : { kind: "refused", why };
  }
}

/** How long what the queue took out is not put in again, ms: each try costs a run of all checks. */
const restMs = 30 * 60_000;

function isRecent({ createdAt }: QueueEvent): boolean {
  return Date.now() - Date.parse(createdAt ?? "") < restMs;
}

function describeRemoval({ reason, actor }: QueueEvent): MergeOutcome {
  const told = reason ?? "GitHub does not say why";
  const by = actor?.login;
  const removed = { code: "QueueRemoved", reason: told, ...(by === undefined ? {} : { by }) } as const;
  return { kind: "refused", why: `it was taken out of the queue: ${told}`, demands: [removed] };
}

/**
 * Puts a pull request into the merge queue, at this head alone; does nothing where it is in it. What the queue took out is put in
 * again after half an hour, or at once if it is urgent. `urgent`: to the front, where this token may, and at its first try, since
 * a front that fails has all behind it tested again.
 */
export async function enqueue(place: Place, number: number, head: string, urgent: boolean): Promise<MergeOutcome> {
  const doing = `reading how pull request ${number} stands in the merge queue`;
  const answer = parseAnswer(entryAnswer, await place.octokit.graphql(entryQuery, { ...place.here, number }), doing);
  const { id, isInMergeQueue, timelineItems } = answer.repository.pullRequest;
  if (isInMergeQueue) return { kind: "queued" };
  const removal = timelineItems.nodes.find((event) => event.__typename === "RemovedFromMergeQueueEvent");
  if (removal !== undefined && !urgent && isRecent(removal)) return describeRemoval(removal);
  const jumps = urgent && removal === undefined;
  const outcome = await send(place, id, head, jumps);
  // The right to go to the front is one of its own.
  return jumps && outcome.kind === "refused" ? send(place, id, head, false) : outcome;
}

const refs = z.array(z.object({ ref: z.string(), object: z.object({ sha: z.string() }) }));
const groupName = /^(\d+)-[0-9a-f]{40}$/u;

async function isInQueue({ octokit, here }: Place, number: number): Promise<boolean> {
  const doing = `reading whether pull request ${number} is in the merge queue`;
  const answer = parseAnswer(entryAnswer, await octokit.graphql(entryQuery, { ...here, number }), doing);
  return answer.repository.pullRequest.isInMergeQueue;
}

/**
 * The branches by which GitHub's queue has its checks run, one for each pull request in it. `hasQueue`: a ruleset demands the
 * queue; else each pull request is asked whether it is in one, for anyone who may write may be able to make such a branch.
 */
export async function readGroups(
  place: Place,
  base: string,
  hasQueue: () => Promise<boolean>,
): Promise<readonly QueuedGroup[]> {
  const start = `heads/gh-readonly-queue/${base}/pr-`;
  const { data } = await place.octokit.rest.git.listMatchingRefs({ ...place.here, ref: start });
  const groups = parseAnswer(refs, data, "reading the queue").flatMap(({ ref, object }) => {
    const rest = ref.startsWith(`refs/${start}`) ? ref.slice(`refs/${start}`.length) : "";
    const number = groupName.exec(rest)?.[1];
    return number === undefined ? [] : [{ number: Number(number), headSha: object.sha }];
  });
  if (groups.length === 0 || (await hasQueue())) return groups;
  const kept = await Promise.all(groups.map(async (group) => ((await isInQueue(place, group.number)) ? [group] : [])));
  return kept.flat();
}
