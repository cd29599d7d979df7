import type { AppState } from "./app.ts";
import type { BareRepository } from "../git/bare-repository.ts";
import type { Person } from "../git/commit-facts.ts";
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
  readonly commitCounts: CommitCounts;
  /** Now, as GitHub writes it: ISO, whole seconds. */
  now(): string;
  /** The name under which a user's commits stand, as of now. */
  sign(login: string): Person;
  /** Branches as of the start of this request. */
  branches(): ReadonlyMap<string, string>;
  /** Announces an event to every webhook; does not wait. */
  emit(event: string, login: string, payload: Readonly<Record<string, unknown>>): void;
}

/** Where a branch name, full ref or commit id points to. */
export async function resolveCommit(hub: Hub, name: string): Promise<string | undefined> {
  const branch = hub.branches().get(name.replace(/^(?:refs\/)?heads\//, ""));
  return branch ?? (await hub.repository.readCommit(name))?.sha;
}
