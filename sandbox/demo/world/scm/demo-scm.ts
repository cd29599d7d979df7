import type { Clock } from "#libs/runtime";
import { nameAddress } from "#sandbox/gitea";
import type { SeenPush } from "#sandbox/github";

import type { Login } from "../users.ts";

/** What pull requests are opened on: our stand-in for GitHub, or a real Gitea. */
export type ScmKind = "github" | "gitea";

/** Where people and processes find the pull requests, and what they log in with. */
export interface ScmAddress {
  readonly kind: ScmKind;
  readonly url: string;
  readonly tokens: Readonly<Record<Login, string>>;
}

/** The SCM of a running demo, with the repository acme/rollouts. */
export interface DemoScm {
  readonly address: ScmAddress;
  readonly gitUrl: string;
  /** What the demo says of it when it begins, by lines. */
  readonly introduction: readonly string[];
  /** Pushes to branches as the server saw them, oldest first, by the clusters' clock. */
  listPushes(): readonly SeenPush[];
  /** Approvals of heads, by the clusters' clock. */
  listApprovals(): Promise<readonly { readonly head: string; readonly by: string; readonly at: number }[]>;
  /** Leaves `rollouts.git` in the demo's folder. */
  close(): Promise<void>;
}

/** What an SCM is started with. */
export interface ScmParts {
  /** The demo's. */
  readonly folder: string;
  readonly clock: Clock;
  /** Converts real epoch ms to the clusters' clock. */
  readonly toClusterTime: (realMs: number) => number;
  /** Where services/api takes webhooks. */
  readonly apiUrl: string;
}

export type OpenDemoScm = (parts: ScmParts) => Promise<DemoScm>;

/** Checks that a merge requires. */
export const requiredChecks = ["meshroll/plan", "meshroll/approvals"] as const;

interface ScmWords {
  readonly name: string;
  /** What the SCM has for a check of meshroll's, and several of them. */
  readonly check: string;
  readonly checks: string;
  /** The address by which it finds the account of a commit. */
  readonly nameAddress: (login: Login) => string;
}

/** How the demo speaks of each SCM. */
export const scmWords: Readonly<Record<ScmKind, ScmWords>> = {
  github: {
    name: "GitHub",
    check: "check",
    checks: "checks",
    nameAddress: (login) => `${login}@users.noreply.github.com`,
  },
  gitea: { name: "Gitea", check: "status", checks: "statuses", nameAddress },
};
