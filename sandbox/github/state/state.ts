import type { MergeMethod } from "./options.ts";

/** What GitHub stores next to git; times are ISO texts. Routes change it in place. */
export interface Pull {
  readonly number: number;
  readonly id: number;
  readonly author: string;
  readonly branch: string;
  /** The owner of the fork that has the branch; absent = this repository. */
  readonly fork?: string;
  readonly createdAt: string;
  readonly draft: boolean;
  title: string;
  body: string | null;
  base: string;
  head: string;
  state: "open" | "closed";
  updatedAt: string;
  labels: readonly string[];
  closedAt?: string;
  closedBy?: string;
  merged?: {
    readonly at: string;
    readonly by: string;
    readonly sha: string;
    readonly baseSha: string;
    readonly method?: MergeMethod;
  };
}

/** The branch that holds the head in this repository's folder: branches of forks are kept under `forks/`. */
export function nameHeadBranch({ branch, fork }: Pick<Pull, "branch" | "fork">): string {
  return fork === undefined ? branch : `forks/${fork}/${branch}`;
}

export interface ReviewRecord {
  readonly id: number;
  readonly pull: number;
  readonly author: string;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";
  readonly body: string;
  readonly commit: string;
  readonly at: string;
}

export interface CommentRecord {
  readonly id: number;
  readonly issue: number;
  readonly author: string;
  readonly createdAt: string;
  body: string;
  updatedAt: string;
}

/** An issue that is not a pull request; both share their numbers. */
export interface IssueRecord {
  readonly number: number;
  readonly author: string;
  readonly createdAt: string;
  title: string;
  body: string | null;
  state: "open" | "closed";
  labels: readonly string[];
  updatedAt: string;
  closedAt?: string;
  closedBy?: string;
}

export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly sha: string;
  readonly author: string;
  readonly startedAt: string;
  status: string;
  conclusion: string | null;
  completedAt: string | null;
  externalId: string;
  detailsUrl: string | null;
  output: { readonly title: string | null; readonly summary: string | null; readonly text: string | null };
}

export interface StatusRecord {
  readonly id: number;
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly author: string;
  readonly at: string;
}

export interface DeploymentRecord {
  readonly id: number;
  readonly sha: string;
  readonly ref: string;
  readonly task: string;
  readonly environment: string;
  readonly description: string | null;
  readonly payload: unknown;
  readonly author: string;
  readonly at: string;
  readonly statuses: DeploymentStatusRecord[];
}

export interface DeploymentStatusRecord {
  readonly id: number;
  readonly state: string;
  readonly description: string;
  readonly logUrl: string;
  readonly environment: string;
  readonly author: string;
  readonly at: string;
}

/** A pull request in the merge queue, with the commit that is tested: the base as it would be after its merge. */
export interface QueueEntry {
  readonly pull: number;
  readonly by: string;
  /** The pull request's head when it was added. */
  readonly head: string;
  /** Absent until its branch was made. */
  group?: { readonly branch: string; readonly sha: string; readonly base: string };
}

export interface State {
  readonly startedAt: string;
  pushedAt: string;
  readonly pulls: Pull[];
  readonly reviews: ReviewRecord[];
  readonly comments: CommentRecord[];
  readonly issues: IssueRecord[];
  readonly checks: CheckRun[];
  readonly statuses: StatusRecord[];
  readonly deployments: DeploymentRecord[];
  /** The merge queue of the default branch, the next one first. */
  readonly queue: QueueEntry[];
  /** Pull requests that the queue took out unmerged, oldest first. */
  readonly removals: {
    readonly pull: number;
    readonly head: string;
    readonly reason: string;
    readonly by: string;
    readonly at: string;
  }[];
  /** Commits with a verified signature: those that GitHub signed itself. */
  readonly signed: Set<string>;
  /** By branch: the login that pushed last. */
  readonly pushers: Map<string, string>;
  /** Ids are unique over all kinds, so that using one of another kind fails. */
  nextId(): number;
}

/** `now` is when the repository was created. */
export function createState(now: string): State {
  let last = 1000;
  return {
    startedAt: now,
    pushedAt: now,
    pulls: [],
    reviews: [],
    comments: [],
    issues: [],
    checks: [],
    statuses: [],
    deployments: [],
    queue: [],
    removals: [],
    signed: new Set(),
    pushers: new Map(),
    nextId: () => {
      last += 1;
      return last;
    },
  };
}

/** The next number of an issue or pull request: both share their numbers. */
export function takeNumber({ pulls, issues }: State): number {
  return pulls.length + issues.length + 1;
}
