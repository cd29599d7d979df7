import type { Hub } from "../state/hub.ts";
import { countVotes, findMergeObstacle, findReviewObstacle, isBehind, listUnsigned } from "../state/protection.ts";
import { readDemands } from "../state/demands.ts";
import type { CheckRun, Pull, StatusRecord } from "../state/state.ts";
import { findAppId } from "./app.ts";
import { findBase } from "./pull-request.ts";

/**
 * The query of `libs/scm` about one pull request. GraphQL returns the fields that are asked for; here it is always all of them.
 */
export const pullFactsQuery = /^query \(\$owner: String!, \$repo: String!, \$number: Int!\) \{\s+repository\(/u;

function showRun(hub: Hub, { name, status, conclusion, author }: CheckRun): unknown {
  const app = { databaseId: findAppId(hub, author) };
  return {
    __typename: "CheckRun",
    name,
    status: status.toUpperCase(),
    conclusion: conclusion?.toUpperCase() ?? null,
    checkSuite: { app },
  };
}

function showStatus({ context, state }: StatusRecord): unknown {
  return { __typename: "StatusContext", context, state: state.toUpperCase() };
}

/** The newest record of each name. */
function takeNewest<T>(records: readonly T[], nameOf: (record: T) => string): readonly T[] {
  return [...new Map(records.map((each) => [nameOf(each), each] as const)).values()];
}

function showRollup(hub: Hub, { head }: Pull): unknown {
  const { checks, statuses } = hub.state;
  const runs = takeNewest(
    checks.filter(({ sha }) => sha === head),
    ({ name }) => name,
  );
  const contexts = takeNewest(
    statuses.filter(({ sha }) => sha === head),
    ({ context }) => context,
  );
  const nodes = [...runs.map((run) => showRun(hub, run)), ...contexts.map(showStatus)];
  return nodes.length === 0 ? null : { contexts: { nodes } };
}

function decide(hub: Hub, pull: Pull): string | null {
  const { reviews, codeOwners, lastPush } = readDemands(hub.protection);
  const { changesRequested } = countVotes(hub, pull);
  if (changesRequested) return "CHANGES_REQUESTED";
  if (reviews === 0 && !codeOwners && !lastPush) return null;
  return findReviewObstacle(hub, pull) === undefined ? "APPROVED" : "REVIEW_REQUIRED";
}

async function judge(hub: Hub, pull: Pull): Promise<string> {
  if (pull.draft) return "DRAFT";
  if (!hub.computedMerges.ask(findBase(hub, pull), pull.head)) return "UNKNOWN";
  if ((await hub.mergeability(findBase(hub, pull), pull.head)) === undefined) return "DIRTY";
  if ((await findMergeObstacle(hub, pull)) !== undefined) return "BLOCKED";
  return (await isBehind(hub, pull)) ? "BEHIND" : "CLEAN";
}

/** The answer to that query. */
export async function showPullFacts(hub: Hub, pull: Pull): Promise<unknown> {
  const { approvers, changesRequested } = countVotes(hub, pull);
  const commits = await hub.commitCounts(findBase(hub, pull), pull.head);
  const unsigned = (await listUnsigned(hub, pull)).length;
  const signatures = Array.from({ length: commits }, (_, place) => (place < unsigned ? null : { isValid: true }));
  const reviews = [...approvers.map(() => "APPROVED"), ...(changesRequested ? ["CHANGES_REQUESTED"] : [])];
  const threads = Array.from({ length: hub.protection.openThreads ?? 0 }, () => ({ isResolved: false }));
  const pullRequest = {
    headRefOid: pull.head,
    isDraft: pull.draft,
    mergeStateStatus: await judge(hub, pull),
    reviewDecision: decide(hub, pull),
    latestOpinionatedReviews: { nodes: reviews.map((state) => ({ state, authorCanPushToRepository: true })) },
    reviewThreads: { nodes: threads },
    commits: { nodes: signatures.map((signature) => ({ commit: { signature } })) },
    head: { nodes: [{ commit: { statusCheckRollup: showRollup(hub, pull) } }] },
  };
  return { repository: { pullRequest } };
}
