import type { MergeOutcome, PullRequestDraft, Review } from "../port/port.ts";
import type { RemoteCommit } from "./fake-authorship.ts";
import { createFakeQueue, type FakeQueue } from "./fake-queue.ts";
import type { FakeRecords } from "./fake-records.ts";

/** What the fake needs of a repository; the fake remote of `#fakes/git` has it. */
export interface ScmRemote {
  head(branch: string): string | undefined;
  commit(sha: string): RemoteCommit | undefined;
  mergeToMain(merge: {
    readonly branch: string;
    readonly method?: "merge" | "squash";
    readonly message?: string;
    readonly author?: string;
  }): RemoteMergeResult;
  mergeOnto(
    onto: string,
    head: string,
    merge: { readonly message?: string; readonly author?: string },
  ): RemoteMergeResult;
  forceMain(sha: string): void;
}

type RemoteMergeResult =
  | { readonly kind: "merged"; readonly sha: string }
  | { readonly kind: "conflict"; readonly why: string };

/** The protected branch's rules. */
export interface FakeProtection {
  readonly requiredReviews: number;
  readonly requiredChecks: readonly string[];
  /** True: a head must contain all of its base. */
  readonly strict?: boolean;
  /** True: only a merge queue merges. */
  readonly queue?: boolean;
}

/** A pull request in memory. */
export interface Entry {
  readonly number: number;
  draft: PullRequestDraft;
  labels: readonly string[];
  readonly author: string;
  readonly reviews: Review[];
  /** Set when it was closed or merged, with its last head; until then the head follows the branch. */
  ended?: {
    readonly head: string;
    readonly state: "closed" | "merged";
    readonly by: string;
    readonly at: number;
    readonly sha?: string;
  };
  readonly openedAt: number;
  /** The branch's name in its fork; absent: the branch is in this repository. */
  readonly fork?: string;
}

/** What merging needs of the SCM around it. */
export interface MergingWorld {
  readonly remote: ScmRemote;
  readonly protection: FakeProtection;
  readonly records: FakeRecords;
  /** Commit and name of checks that passed by no account of ours. */
  readonly passed: ReadonlySet<string>;
  readonly edits: string[];
  readonly now: () => number;
  readonly find: (number: number) => Entry;
  readonly readHead: (entry: Entry) => string;
}

/** Merges by the protected branch's rules, and its queue. */
export interface FakeMerging extends Pick<FakeQueue, "settle" | "groups"> {
  merge(number: number, expectedHead: string, by: string, urgent: boolean): MergeOutcome;
}

export function createFakeMerging(world: MergingWorld): FakeMerging {
  const { remote, protection, records, passed, edits, now, find, readHead } = world;

  /** Why branch protection refuses the merge; undefined: it does not. */
  function findObstacle(entry: Entry): Omit<Extract<MergeOutcome, { kind: "refused" }>, "kind"> | undefined {
    const head = readHead(entry);
    const { base } = entry.draft;
    const missing = protection.requiredChecks.filter(
      (name) => !passed.has(`${head} ${name}`) && !records.isGreen(head, name),
    );
    if (missing.length > 0) return { why: `required status checks are missing: ${missing.join(", ")}` };
    const approved = new Set(
      entry.reviews.filter((review) => review.state === "approved").map((review) => review.author),
    );
    approved.delete(entry.author);
    if (approved.size < protection.requiredReviews)
      return {
        why: `at least ${protection.requiredReviews} approving review is required by reviewers with write access`,
      };
    return protection.strict === true && !hasAll(head, remote.head(base) ?? "")
      ? { why: "head branch is out of date", demands: [{ code: "BranchBehind", base }] }
      : undefined;
  }

  /** Whether the history of `head` contains `wanted`. */
  function hasAll(head: string, wanted: string): boolean {
    const seen = new Set<string>();
    const left = [head];
    for (let sha = left.pop(); sha !== undefined; sha = left.pop()) {
      if (sha === wanted) return true;
      if (!seen.has(sha)) left.push(...(remote.commit(sha)?.parents ?? []));
      seen.add(sha);
    }
    return false;
  }

  function printMerge({ number, draft }: Entry): string {
    return `Merge pull request #${number} from ${draft.branch}\n\n${draft.title}`;
  }

  function listCheckStates(sha: string): readonly ("green" | "pending" | "failed")[] {
    return protection.requiredChecks.map((name) => {
      if (records.isFailed(sha, name)) return "failed";
      return passed.has(`${sha} ${name}`) || records.isGreen(sha, name) ? "green" : "pending";
    });
  }

  const queue = createFakeQueue({
    mainHead: () => remote.head("main") ?? "",
    openHead: (number) => (find(number).ended === undefined ? readHead(find(number)) : undefined),
    mergeOnto(number, tip, by) {
      const result = remote.mergeOnto(tip, readHead(find(number)), { message: printMerge(find(number)), author: by });
      return result.kind === "merged" ? result.sha : undefined;
    },
    checkState(sha) {
      const states = listCheckStates(sha);
      return (["failed", "pending"] as const).find((state) => states.includes(state)) ?? "green";
    },
    finish(number, sha) {
      const entry = find(number);
      entry.ended = { head: readHead(entry), state: "merged", by: "merge-queue", at: now(), sha };
      remote.forceMain(sha);
      edits.push(`merge-queue merge ${number}`);
    },
  });

  function merge(number: number, expectedHead: string, by: string, urgent: boolean): MergeOutcome {
    const entry = find(number);
    const head = readHead(entry);
    if (entry.ended?.sha !== undefined && head === expectedHead) return { kind: "merged", sha: entry.ended.sha };
    if (entry.ended !== undefined) return { kind: "refused", why: `pull request ${number} is not open` };
    if (head !== expectedHead)
      return { kind: "refused", why: "head branch was modified; review and try the merge again" };
    const obstacle = findObstacle(entry);
    if (obstacle !== undefined) return { kind: "refused", ...obstacle };
    if (protection.queue === true) return queue.enqueue(number, head, by, urgent);
    const result = remote.mergeToMain({ branch: entry.draft.branch, message: printMerge(entry), author: by });
    if (result.kind === "conflict") return { kind: "refused", why: `pull request is not mergeable: ${result.why}` };
    entry.ended = { head, state: "merged", by, at: now(), sha: result.sha };
    edits.push(`${by} merge ${number}`);
    return { kind: "merged", sha: result.sha };
  }

  return { merge, settle: queue.settle, groups: queue.groups };
}
