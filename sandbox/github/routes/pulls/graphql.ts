import { HttpError, requireFound } from "../../http/http-error.ts";
import { readText, type Route, type RouteRequest } from "../../http/route.ts";
import { pullFactsQuery, showPullFacts } from "../../shapes/pull-facts.ts";
import type { Hub } from "../../state/hub.ts";
import { findMergeObstacle } from "../../state/protection.ts";
import { readDemands } from "../../state/demands.ts";
import type { Pull, QueueEntry } from "../../state/state.ts";

type Variables = Readonly<Record<string, unknown>>;

/** One operation of `libs/scm`, found by its text, and the `data` of its answer. */
interface Operation {
  readonly query: RegExp;
  readonly answer: (hub: Hub, variables: Variables, request: RouteRequest) => unknown;
}

/** GraphQL answers a refusal with 200 and a list of errors. */
class GraphqlError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

function findAsked(hub: Hub, number: unknown): Pull {
  return requireFound(hub.state.pulls.find((pull) => pull.number === number));
}

/** The newest event of the pull request's timeline, of pushes and the queue's. */
function showNewest(hub: Hub, pull: Pull): readonly unknown[] {
  const removal = hub.state.removals.findLast((each) => each.pull === pull.number && each.head === pull.head);
  if (removal === undefined) return [{ __typename: "PullRequestCommit" }];
  return [
    {
      __typename: "RemovedFromMergeQueueEvent",
      reason: removal.reason,
      createdAt: removal.at,
      actor: { login: removal.by },
    },
  ];
}

function showQueueEntry(hub: Hub, { number }: Variables): unknown {
  const pull = findAsked(hub, number);
  const isInMergeQueue = hub.state.queue.some((entry) => entry.pull === pull.number);
  const nodes = isInMergeQueue ? [{ __typename: "AddedToMergeQueueEvent" }] : showNewest(hub, pull);
  return { repository: { pullRequest: { id: `PR_${pull.number}`, isInMergeQueue, timelineItems: { nodes } } } };
}

async function answerEnqueue(hub: Hub, { id, head, jump }: Variables, { user }: RouteRequest): Promise<unknown> {
  const pull = requireFound(hub.state.pulls.find(({ number }) => `PR_${number}` === id));
  if (!readDemands(hub.protection).queue) throw new GraphqlError("UNPROCESSABLE", "The base branch has no merge queue");
  if (pull.state !== "open" || pull.draft) throw new GraphqlError("UNPROCESSABLE", "Pull request is not mergeable");
  if (head !== pull.head) throw new GraphqlError("UNPROCESSABLE", "The expected head OID does not match the head");
  if (hub.state.queue.some((entry) => entry.pull === pull.number))
    throw new GraphqlError("UNPROCESSABLE", "Pull request is already in the merge queue");
  const obstacle = await findMergeObstacle(hub, pull);
  if (obstacle !== undefined) throw new GraphqlError("UNPROCESSABLE", obstacle);
  if (jump === true && hub.protection.mayJumpQueue !== true)
    throw new GraphqlError("FORBIDDEN", "You're not authorized to jump the merge queue.");
  const entry: QueueEntry = { pull: pull.number, by: user.login, head: pull.head };
  if (jump === true) hub.state.queue.unshift(entry);
  else hub.state.queue.push(entry);
  return { enqueuePullRequest: { mergeQueueEntry: { position: hub.state.queue.indexOf(entry) + 1 } } };
}

/** Compares and swaps; zeros: there must be no such branch. */
async function answerMove(hub: Hub, { name, before, after }: Variables): Promise<unknown> {
  try {
    await hub.repository.git(["update-ref", String(name), String(after), String(before)]);
  } catch {
    throw new GraphqlError("UNPROCESSABLE", `The ref ${String(name)} is not at ${String(before)}`);
  }
  return { updateRefs: { clientMutationId: null } };
}

const operations: readonly Operation[] = [
  { query: pullFactsQuery, answer: async (hub, { number }) => showPullFacts(hub, findAsked(hub, number)) },
  { query: /^query queueEntry /u, answer: showQueueEntry },
  { query: /^mutation enqueue /u, answer: answerEnqueue },
  { query: /^mutation moveBranch /u, answer: answerMove },
  // For every kind of token.
  {
    query: /^query \{ viewer \{ login \} \}$/u,
    answer: (_hub, _variables, { user }) => ({ viewer: { login: user.login } }),
  },
];

/** GraphQL knows meshroll's operations alone. */
export const graphqlRoutes: readonly Route[] = [
  {
    operation: "POST /graphql",
    handle: async (hub, request) => {
      const query = readText(request, "query") ?? "";
      const found = operations.find((each) => each.query.test(query));
      if (found === undefined) throw new HttpError(400, "this query is not known here");
      try {
        const variables = (request.body["variables"] ?? {}) as Variables;
        return { status: 200, body: { data: await found.answer(hub, variables, request) } };
      } catch (error) {
        if (!(error instanceof GraphqlError)) throw error;
        return { status: 200, body: { data: null, errors: [{ type: error.type, message: error.message }] } };
      }
    },
  },
];
