import type { AppState } from "./app.ts";
import type { BareRepository } from "../git/bare-repository.ts";
import type { Person } from "../git/commit-facts.ts";
import type { ComputedMerges } from "../git/computed-merges.ts";
import type { CommitCounts } from "../git/commit-counts.ts";
import type { Mergeability } from "../git/mergeability.ts";
import type { GithubUser, MergeMethod, Protection } from "./options.ts";
import type { State } from "./state.ts";

/** All that a route may use. */
export interface Hub {
  readonly owner: string;
  readonly repo: string;
  /** `http://127.0.0.1:<port>`; known once the server listens. */
  url(): string;
  readonly defaultBranch: string;
  readonly repository: BareRepository;
  readonly state: State;
  readonly users: readonly GithubUser[];
  readonly app?: AppState;
  isMoved(): boolean;
  /** Logins by a team's slug. */
  readonly teams: Readonly<Record<string, readonly string[]>>;
  readonly protection: Protection;
  readonly mergeMethods: readonly MergeMethod[];
  readonly mergeability: Mergeability;
  readonly computedMerges: ComputedMerges;
  /** Most entries that a page of a list has, whatever is asked for. */
  readonly pageSize: number;
  readonly commitCounts: CommitCounts;
  /** Now, as GitHub writes it: ISO, whole seconds. */
  now(): string;
  /** The author or committer of a user's commits, with the current time. */
  sign(login: string): Person;
  /** Branches as of the start of this request. */
  branches(): ReadonlyMap<string, string>;
  /** Sends an event to every webhook, without waiting. */
  emit(event: string, login: string, payload: Readonly<Record<string, unknown>>): void;
}

/** The commit of a branch name, full ref or commit id. */
export async function resolveCommit(hub: Hub, name: string): Promise<string | undefined> {
  const branch = hub.branches().get(name.replace(/^(?:refs\/)?heads\//, ""));
  return branch ?? (await hub.repository.readCommit(name))?.sha;
}
