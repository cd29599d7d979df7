import { z } from "zod";

import { readStatus } from "../../http/classify.ts";
import { parseAnswer } from "../../http/parse-answer.ts";
import type { CommitSigner, SignedDraft, SignedOutcome } from "../../port/commit-signer.ts";
import { ScmRefused } from "../../port/errors.ts";
import { readRefusal } from "../calls/graphql-refusal.ts";
import { once, type Wire } from "../calls/wire.ts";

/** Compares and swaps in one step; `beforeOid` of zeros: there must be no such ref. */
const updateQuery = `mutation moveBranch ($repository: ID!, $name: GitRefname!, $before: GitObjectID!, $after: GitObjectID!) {
  updateRefs(input: { repositoryId: $repository, refUpdates: [
    { name: $name, beforeOid: $before, afterOid: $after, force: true }
  ] }) { clientMutationId }
}`;

const zeros = "0".repeat(40);
const repositoryAnswer = z.object({ node_id: z.string() });
const treeAnswer = z.object({ sha: z.string() });
const madeAnswer = z.object({
  sha: z.string(),
  tree: z.object({ sha: z.string() }),
  verification: z.object({ verified: z.boolean(), reason: z.string() }),
});
const commitAnswer = z.object({
  author: z.object({ login: z.string().optional() }).nullish(),
  committer: z.object({ login: z.string().optional() }).nullish(),
  commit: z.object({ verification: z.object({ verified: z.boolean() }).optional() }),
});
const refAnswer = z.object({ object: z.object({ sha: z.string() }) });

/** GitHub's own account: the committer of what its API and its web pages write. */
const webFlow = "web-flow";

/** What the signer needs of the rest of the adapter. */
export interface SignerParts extends Wire {
  readonly ownLogin: () => Promise<string | undefined>;
  readonly demandsSignatures: (branch: string) => Promise<boolean>;
}

/** GitHub signs what an App's installation writes by its API, as long as no author and no committer are named. */
export function createCommitSigner({ octokit, call, here, ownLogin, demandsSignatures }: SignerParts): CommitSigner {
  const { git, repos } = octokit.rest;

  async function readTree(commit: string): Promise<string> {
    const { data } = await git.getCommit({ ...here, commit_sha: commit });
    return parseAnswer(madeAnswer, data, `reading commit ${commit.slice(0, 12)}`).tree.sha;
  }

  async function makeTree({ parents, filesOf = parents[0] ?? "", files }: SignedDraft, doing: string): Promise<string> {
    const tree = Object.entries(files).map(([path, content]) => {
      const entry = { path, mode: "100644", type: "blob" } as const;
      return content === null ? { ...entry, sha: null } : { ...entry, content };
    });
    const made = await git.createTree({ ...here, base_tree: await readTree(filesOf), tree, ...once });
    return parseAnswer(treeAnswer, made.data, doing).sha;
  }

  async function isOwn(sha: string): Promise<boolean> {
    const { data } = await repos.getCommit({ ...here, ref: sha });
    const { author, committer, commit } = parseAnswer(commitAnswer, data, `reading commit ${sha.slice(0, 12)}`);
    const isSigned = commit.verification?.verified === true && committer?.login === webFlow;
    return isSigned && author?.login !== undefined && author.login === (await ownLogin());
  }

  async function makeCommit(draft: SignedDraft, doing: string): Promise<string> {
    const { message, parents } = draft;
    const tree = await makeTree(draft, doing);
    const { data } = await git.createCommit({ ...here, message, tree, parents: [...parents], ...once });
    const { sha, verification } = parseAnswer(madeAnswer, data, doing);
    // One that is not recognised later would be made again each round.
    if (verification.verified && (await isOwn(sha))) return sha;
    const fix = "use a GitHub App, whose commits GitHub signs, or let git sign (docs/how-to/protect-the-ledger.md)";
    throw new ScmRefused(
      `GitHub did not sign a commit that it made as one of this account (${verification.reason})`,
      fix,
    );
  }

  async function readBranch(branch: string): Promise<string | undefined> {
    try {
      const { data } = await git.getRef({ ...here, ref: `heads/${branch}` });
      return parseAnswer(refAnswer, data, `reading branch ${branch}`).object.sha;
    } catch (error) {
      if (readStatus(error)?.status === 404) return undefined;
      throw error;
    }
  }

  /** A refusal is another writer's doing only if the branch is not where it was; an answer may have been lost, too. */
  async function judgeRefusal(draft: SignedDraft, sha: string, error: unknown): Promise<SignedOutcome> {
    const now = await readBranch(draft.branch);
    if (now === sha) return { kind: "pushed", sha };
    if (now !== draft.expected) return { kind: "rejected", why: `${draft.branch} is at ${now ?? "nothing"} now` };
    const why = readRefusal(error);
    if (why === undefined) throw error;
    throw new ScmRefused(
      `GitHub does not move ${draft.branch}: ${why}`,
      "let meshroll's App push to meshroll/*, forced pushes too",
    );
  }

  async function moveBranch(draft: SignedDraft, sha: string, doing: string): Promise<SignedOutcome> {
    const repository = parseAnswer(repositoryAnswer, (await repos.get(here)).data, doing).node_id;
    const name = `refs/heads/${draft.branch}`;
    try {
      await octokit.graphql(updateQuery, { repository, name, before: draft.expected ?? zeros, after: sha, ...once });
      return { kind: "pushed", sha };
    } catch (error) {
      return judgeRefusal(draft, sha, error);
    }
  }

  return {
    isDemanded: async (branch) =>
      call(`reading whether ${branch} takes signed commits alone`, async () => demandsSignatures(branch)),
    commit: async (draft) => {
      const doing = `committing to ${draft.branch}`;
      return call(doing, async () => moveBranch(draft, await makeCommit(draft, doing), doing));
    },
    isOwn: async (sha) => call(`reading who made commit ${sha.slice(0, 12)}`, async () => isOwn(sha)),
  };
}
