import { z } from "zod";

import { isHidden } from "../../http/classify.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import type { Wire } from "../calls/wire.ts";

/** What GitHub judges a merge by, which REST answers only in part. */
const pullFactsQuery = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      headRefOid isDraft mergeStateStatus reviewDecision
      latestOpinionatedReviews(first: 100) { nodes { state authorCanPushToRepository } }
      reviewThreads(first: 100) { nodes { isResolved } }
      commits(last: 100) { nodes { commit { signature { isValid } } } }
      head: commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 100) { nodes {
        __typename
        ... on CheckRun { name status conclusion checkSuite { app { databaseId } } }
        ... on StatusContext { context state }
      } } } } } }
    }
  }
}`;

const checkRun = z.object({
  __typename: z.literal("CheckRun"),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  checkSuite: z.object({ app: z.object({ databaseId: z.int().nullable() }).nullable() }),
});
const statusContext = z.object({ __typename: z.literal("StatusContext"), context: z.string(), state: z.string() });
const rollup = z.object({ contexts: z.object({ nodes: z.array(z.union([checkRun, statusContext])) }) }).nullable();

const answer = z.object({
  repository: z.object({
    pullRequest: z.object({
      headRefOid: z.string(),
      isDraft: z.boolean(),
      mergeStateStatus: z.string(),
      reviewDecision: z.string().nullable(),
      latestOpinionatedReviews: z.object({
        nodes: z.array(z.object({ state: z.string(), authorCanPushToRepository: z.boolean() })),
      }),
      reviewThreads: z.object({ nodes: z.array(z.object({ isResolved: z.boolean() })) }),
      commits: z.object({
        nodes: z.array(z.object({ commit: z.object({ signature: z.object({ isValid: z.boolean() }).nullable() }) })),
      }),
      head: z.object({ nodes: z.array(z.object({ commit: z.object({ statusCheckRollup: rollup }) })) }),
    }),
  }),
});

/** One check of a head, posted by any app or person. */
export interface PostedFact {
  readonly name: string;
  readonly state: "green" | "pending" | "failed";
  /** Id of the app; absent: a commit status. */
  readonly source?: number;
}

/** What GitHub says now about merging a pull request. */
export interface PullFacts {
  readonly headSha: string;
  readonly isDraft: boolean;
  /** GitHub says that the branch must be updated. */
  readonly isBehind: boolean;
  readonly conflicts: boolean;
  readonly approvals: number;
  readonly changesRequested: boolean;
  /** GitHub still wants a review, whatever the number of approvals. */
  readonly reviewRequired: boolean;
  readonly openThreads: number;
  readonly unsigned: number;
  readonly checks: readonly PostedFact[];
}

const green: readonly string[] = ["SUCCESS", "NEUTRAL", "SKIPPED"];

function readRunState({ status, conclusion }: z.infer<typeof checkRun>): PostedFact["state"] {
  if (status !== "COMPLETED") return "pending";
  return green.includes(conclusion ?? "") ? "green" : "failed";
}

function readStatusState(state: string): PostedFact["state"] {
  if (state === "PENDING" || state === "EXPECTED") return "pending";
  return state === "SUCCESS" ? "green" : "failed";
}

function toPosted(each: z.infer<typeof checkRun> | z.infer<typeof statusContext>): PostedFact {
  if (each.__typename === "StatusContext") return { name: each.context, state: readStatusState(each.state) };
  const source = each.checkSuite.app?.databaseId;
  const posted = { name: each.name, state: readRunState(each) };
  return typeof source === "number" ? { ...posted, source } : posted;
}

const comparison = z.object({ behind_by: z.int() });

type Place = Pick<Wire, "octokit" | "here">;

/** How many commits of the base the head lacks. */
export async function countBehind({ octokit, here }: Place, base: string, head: string): Promise<number> {
  const doing = `comparing ${head.slice(0, 12)} with ${base}`;
  const query = { ...here, basehead: `${base}...${head}`, per_page: 1 };
  return parseAnswer(comparison, (await octokit.rest.repos.compareCommitsWithBasehead(query)).data, doing).behind_by;
}

/** This token may not read it, or this server has no such query. */
function cannotTell(error: unknown): boolean {
  return isHidden(error) || (error instanceof Error && error.name === "GraphqlResponseError");
}

/** As of now; undefined where this token or server cannot answer it. */
export async function findPullFacts(place: Place, number: number): Promise<PullFacts | undefined> {
  try {
    return await readPullFacts(place, number);
  } catch (error) {
    if (cannotTell(error)) return undefined;
    throw error;
  }
}

async function readPullFacts({ octokit, here }: Place, number: number): Promise<PullFacts> {
  const doing = `reading how pull request ${number} stands`;
  const { repository } = parseAnswer(answer, await octokit.graphql(pullFactsQuery, { ...here, number }), doing);
  const pull = repository.pullRequest;
  const reviews = pull.latestOpinionatedReviews.nodes.filter((each) => each.authorCanPushToRepository);
  const head = pull.head.nodes[0]?.commit.statusCheckRollup;
  return {
    headSha: pull.headRefOid,
    isDraft: pull.isDraft,
    isBehind: pull.mergeStateStatus === "BEHIND",
    conflicts: pull.mergeStateStatus === "DIRTY",
    approvals: reviews.filter(({ state }) => state === "APPROVED").length,
    changesRequested: reviews.some(({ state }) => state === "CHANGES_REQUESTED"),
    reviewRequired: pull.reviewDecision === "REVIEW_REQUIRED",
    openThreads: pull.reviewThreads.nodes.filter(({ isResolved }) => !isResolved).length,
    unsigned: pull.commits.nodes.filter(({ commit }) => commit.signature?.isValid !== true).length,
    checks: head?.contexts.nodes.map(toPosted) ?? [],
  };
}
