import type { MergeMethod } from "./options.ts";

/** What GitHub remembers beside git; times are ISO texts. Changed in place: this is a stand-in's memory, not a fact. */
export interface Pull {
  readonly number: number;
  readonly id: number;
  readonly author: string;
  readonly branch: string;
  readonly createdAt: string;
  readonly draft: boolean;
  title: string;
  body: string | null;
  base: string;
  head: string;
  state: "open" | "closed";
  updatedAt: string;
  closedAt?: string;
  merged?: {
    readonly at: string;
    readonly by: string;
    readonly sha: string;
    readonly baseSha: string;
    readonly method?: MergeMethod;
  };
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

export interface State {
  readonly startedAt: string;
  pushedAt: string;
  readonly pulls: Pull[];
  readonly reviews: ReviewRecord[];
  readonly comments: CommentRecord[];
  readonly checks: CheckRun[];
  readonly statuses: StatusRecord[];
  readonly deployments: DeploymentRecord[];
  /** Ids are unique over all kinds, as a confusion of two kinds should fail. */
  nextId(): number;
}

/** `now` is when the repository was made. */
export function createState(now: string): State {
  let last = 1000;
  return {
    startedAt: now,
    pushedAt: now,
    pulls: [],
    reviews: [],
    comments: [],
    checks: [],
    statuses: [],
    deployments: [],
    nextId: () => {
      last += 1;
      return last;
    },
  };
}
