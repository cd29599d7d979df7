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
      ]) { nodes { __typename ... on RemovedFromMergeQueueEvent { reason actor { login } } } }
    }
  }
}`;

/** GitHub refuses another head than the expected one, and takes a pull request out of the queue when its head changes. */
const enqueueQuery = `mutation enqueue ($id: ID!, $head: GitObjectID!, $jump: Boolean!) {
  enqueuePullRequest(input: { pullRequestId: $id, expectedHeadOid: $head, jump: $jump }) { mergeQueueEntry { position } }
}`;

const entryAnswer = z.object({
  repository: z.object({
    pullRequest: z.object({
      id: z.string(),
      isInMergeQueue: z.boolean(),
      timelineItems: z.object({
        nodes: z.array(
          z.object({
            __typename: z.string(),
            reason: z.string().nullish(),
            actor: z.object({ login: z.string() }).nullish(),
          }),
        ),
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
    return { kind: "refused", why };
  }
}

/**
 * Puts a pull request into the merge queue, at this head alone; does nothing where it is in it. What the queue took out at this
 * head is put in again only if it is urgent: each try costs a run of all checks. `urgent`: to the front, where this token may.
 */
export async function enqueue(place: Place, number: number, head: string, urgent: boolean): Promise<MergeOutcome> {
  const doing = `reading how pull request ${number} stands in the merge queue`;
  const answer = parseAnswer(entryAnswer, await place.octokit.graphql(entryQuery, { ...place.here, number }), doing);
  const { id, isInMergeQueue, timelineItems } = answer.repository.pullRequest;
  if (isInMergeQueue) return { kind: "queued" };
  const [newest] = timelineItems.nodes;
  if (!urgent && newest?.__typename === "RemovedFromMergeQueueEvent") {
    const reason = newest.reason ?? "GitHub does not say why";
    const by = newest.actor?.login;
    const removed = { code: "QueueRemoved", reason, ...(by === undefined ? {} : { by }) } as const;
    return { kind: "refused", why: `it was taken out of the queue: ${reason}`, demands: [removed] };
  }
  const outcome = await send(place, id, head, urgent);
  // The right to go to the front is one of its own.
  return urgent && outcome.kind === "refused" ? send(place, id, head, false) : outcome;
}

const refs = z.array(z.object({ ref: z.string(), object: z.object({ sha: z.string() }) }));
const groupName = /\/pr-(\d+)-[0-9a-f]{40}$/u;

/** The branches by which GitHub's queue has its checks run, one for each pull request in it; no account may push to them. */
export async function readGroups({ octokit, here }: Place, base: string): Promise<readonly QueuedGroup[]> {
  const ref = `heads/gh-readonly-queue/${base}/pr-`;
  const found = parseAnswer(
    refs,
    (await octokit.rest.git.listMatchingRefs({ ...here, ref })).data,
    "reading the queue",
  );
  return found.flatMap(({ ref: name, object }) => {
    const number = groupName.exec(name)?.[1];
    return number === undefined ? [] : [{ number: Number(number), headSha: object.sha }];
  });
}
