import { createAuthorship } from "../authorship/authorship.ts";
import { readBranchDemands } from "../merging/branch-rules.ts";
import { createCall } from "../../http/call.ts";
import { createChecks } from "../pull-requests/checks.ts";
import { readStatus } from "../../http/classify.ts";
import { createCommitSigner } from "../authorship/commit-signer.ts";
import { createComments } from "../comments/comments.ts";
import { type Client, createOctokit, type OctokitSettings } from "../calls/create-octokit.ts";
import { createCommentReader } from "../comments/comment-reader.ts";
import { createDeployments } from "../pull-requests/deployments.ts";
import { createIssues } from "../comments/issues.ts";
import { readLedgerRules } from "../merging/ledger-rules.ts";
import { createMerge, type MergeMethod } from "../merging/merge.ts";
import { createPermissions } from "../authorship/permissions.ts";
import { createLimits } from "../../http/limits.ts";
import { createOwnPosts } from "../comments/own-posts.ts";
import { ScmUnavailable } from "../../port/errors.ts";
import type { Scm, PullRequest, PullRequestDraft } from "../../port/port.ts";
import { toCloser, toPullRequest } from "../pull-requests/pull-request.ts";
import { createPullRequestEdits } from "../pull-requests/pull-request-edits.ts";
import { readPages } from "../pull-requests/read-pages.ts";
import { createReviews } from "../pull-requests/reviews.ts";

/** Which repository, and how its pull requests are merged. */
export interface GithubOptions extends OctokitSettings {
  /** Default: the first method that repository and branch allow. */
  readonly mergeMethod?: MergeMethod;
}

/** GitHub's message where a branch has an open pull request. */
const alreadyOpen = /a pull request already exists/iu;

/** GitHub by Octokit. Sends nothing before the first call. */
export function openGithub(options: GithubOptions): Scm {
  const limits = createLimits("GitHub", options.monotonic);
  const octokit: Client = createOctokit(options, limits);
  const call = createCall(options.token, "GitHub", limits);
  const here = { owner: options.owner, repo: options.repo };
  const authorship = createAuthorship({ octokit, call, here });
  const own = createOwnPosts(authorship.ownLogin);
  const merged = new Map<number, PullRequest>();
  const closers = new Map<string, string | undefined>();

  async function get(number: number): Promise<PullRequest> {
    const doing = `reading pull request ${number}`;
    return toPullRequest((await octokit.rest.pulls.get({ ...here, pull_number: number })).data, doing);
  }

  /** Read once per closing: a pull request may be reopened and closed again. */
  async function addCloser(pull: PullRequest): Promise<PullRequest> {
    const key = `${pull.number} ${pull.closedAt ?? ""}`;
    if (!closers.has(key)) {
      const doing = `reading who closed pull request ${pull.number}`;
      const { data } = await octokit.rest.issues.get({ ...here, issue_number: pull.number });
      closers.set(key, toCloser(data, doing));
    }
    const closedBy = closers.get(key);
    return closedBy === undefined ? pull : { ...pull, closedBy };
  }

  /** Adds who closed or merged it. Lists do not say who merged; that never changes, so it is read once. */
  async function complete(pull: PullRequest): Promise<PullRequest> {
    if (pull.state === "open") return pull;
    if (pull.state === "closed") return addCloser(pull);
    const known = merged.get(pull.number) ?? (await get(pull.number));
    merged.set(pull.number, known);
    return known;
  }

  async function list(branch: string, state: "open" | "all"): Promise<readonly PullRequest[]> {
    const doing = `listing pull requests of ${branch}`;
    const query = { ...here, head: `${options.owner}:${branch}`, state, sort: "created", direction: "desc" } as const;
    const answers = await readPages(doing, async (page) => octokit.rest.pulls.list({ ...query, ...page }));
    const pulls = answers.map((answer) => toPullRequest(answer, doing));
    // GitHub ignores a filter that it does not understand; the branch of a fork is never ours.
    return pulls.filter((pull) => pull.branch === branch && pull.fork !== true);
  }

  async function listOpen(base: string, doing: string): Promise<readonly PullRequest[]> {
    const query = { ...here, base, state: "open", sort: "created", direction: "asc" } as const;
    const answers = await readPages(doing, async (page) => octokit.rest.pulls.list({ ...query, ...page }));
    return answers.map((answer) => toPullRequest(answer, doing)).filter((pull) => pull.base === base);
  }

  async function findOpen(draft: PullRequestDraft): Promise<PullRequest | undefined> {
    return (await list(draft.branch, "open")).find((pull) => pull.base === draft.base);
  }

  async function open(draft: PullRequestDraft): Promise<PullRequest> {
    const doing = `opening a pull request for ${draft.branch}`;
    const before = await findOpen(draft);
    if (before !== undefined) return before;
    try {
      const { branch, base, title, body } = draft;
      return toPullRequest((await octokit.rest.pulls.create({ ...here, head: branch, base, title, body })).data, doing);
    } catch (error) {
      // The answer of an earlier request was lost, or another planner was first: GitHub allows one per branch.
      const answer = readStatus(error);
      const found = answer?.status === 422 ? await findOpen(draft) : undefined;
      if (found !== undefined) return found;
      if (!alreadyOpen.test(answer?.message ?? "")) throw error;
      const why = "GitHub says that there is one, and its list does not show it yet";
      throw new ScmUnavailable(`${doing} failed: ${why}`, { cause: error });
    }
  }

  async function findByMergeCommit(sha: string): Promise<PullRequest | undefined> {
    const doing = `finding the pull request of ${sha.slice(0, 12)}`;
    const query = { ...here, commit_sha: sha };
    try {
      const data = await readPages(doing, async (page) =>
        octokit.rest.repos.listPullRequestsAssociatedWithCommit({ ...query, ...page }),
      );
      const found = data.map((answer) => toPullRequest(answer, doing)).find((pull) => pull.mergeSha === sha);
      return found === undefined ? undefined : await complete(found);
    } catch (error) {
      // GitHub's answer for an unknown commit.
      if (readStatus(error)?.status === 422) return undefined;
      throw error;
    }
  }

  /** Undefined also where an issue has that number: GitHub numbers issues and pull requests together. */
  async function findOne(number: number): Promise<PullRequest | undefined> {
    try {
      return await get(number);
    } catch (error) {
      if (readStatus(error)?.status === 404) return undefined;
      throw error;
    }
  }

  const demandsSignatures = async (branch: string): Promise<boolean> =>
    (await readBranchDemands({ octokit, here }, branch)).signatures;
  const signing = { octokit, call, here, ownLogin: authorship.ownLogin, demandsSignatures };
  // A token that lasts is a person's, whose commits GitHub's API does not sign.
  const signer = typeof options.token === "string" ? {} : { signer: createCommitSigner(signing) };

  return {
    name: "GitHub",
    urgently: limits.urgently,
    ...authorship,
    ...signer,
    ...createChecks({ octokit, call, here }, authorship.ownLogin),
    ...createComments({ octokit, call, here }, own),
    ...createCommentReader({ octokit, call, here }, own),
    ...createDeployments({ octokit, call, here }),
    ...createIssues({ octokit, call, here }, own),
    ...createMerge({ octokit, call, here }, get, options.mergeMethod),
    ...createPermissions({ octokit, call, here }),
    ...createPullRequestEdits({ octokit, call, here }),
    ...createReviews({ octokit, call, here }),
    ledgerRules: async () =>
      call("reading the rules of the ledger's branch", async () => readLedgerRules({ octokit, here })),
    listOpenPullRequests: async (base) => {
      const doing = `listing open pull requests to ${base}`;
      return call(doing, async () => listOpen(base, doing));
    },
    openPullRequest: async (draft) => call(`opening a pull request for ${draft.branch}`, async () => open(draft)),
    findPullRequests: async (branch) =>
      call(`listing pull requests of ${branch}`, async () => Promise.all((await list(branch, "all")).map(complete))),
    findByMergeCommit: async (sha) =>
      call(`finding the pull request of ${sha.slice(0, 12)}`, async () => findByMergeCommit(sha)),
    findPullRequest: async (number) => call(`reading pull request ${number}`, async () => findOne(number)),
  };
}
