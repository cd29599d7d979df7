import type { Scm } from "../port/port.ts";

/** The SCM of one repository whose protected branch `main` has one commit with `rollouts.yml`. */
export interface ScmEnvironment {
  /** The SCM as one of the users `bot`, `ada` and `bob` sees it. */
  as(login: "bot" | "ada" | "bob"): Scm;
  readonly remote: {
    /** Pushed by its committer; the default committer is the author. */
    commitTo(
      branch: string,
      change: {
        readonly files: Readonly<Record<string, string>>;
        readonly author?: string;
        readonly committer?: string;
        readonly message?: string;
      },
    ): string | Promise<string>;
    head(branch: string): string | undefined | Promise<string | undefined>;
  };
  passCheck(sha: string, name: string): Promise<void>;
  approve(login: "ada" | "bob", number: number): Promise<void>;
  /** Opened by `ada` from her fork, whose branch is at `forks/ada/<branch>` of the remote; answers its number. */
  openFromFork(branch: string): Promise<number>;
  /** As `ada`. */
  closePullRequest(number: number): Promise<void>;
  /** The members of one team of the organisation. */
  readonly team: { readonly slug: string; readonly logins: readonly string[] };
  setUnavailable(down: boolean): void;
  close(): Promise<void>;
}

/** Features that an SCM may lack: check runs next to commit statuses, and a merge queue. */
export type Unsupported = "checkRuns" | "queue";

/** How a suite makes the SCM that it tests, and what that one lacks. */
export interface ScmSetup {
  readonly make: (rules: ScmRules) => Promise<ScmEnvironment>;
  readonly unsupported: ReadonlySet<Unsupported>;
}

export interface ScmRules {
  readonly requiredReviews: number;
  readonly requiredChecks: readonly string[];
  /** True: only the merge queue merges. */
  readonly queue?: true;
  /** Types of the rules of branch `meshroll/ledger`; absent: the test does not read them. */
  readonly ledgerRules?: readonly string[];
}
