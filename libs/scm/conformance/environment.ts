import type { Scm } from "../port/port.ts";

/** The SCM of one repository, whose protected branch `main` has one commit with `rollouts.yml`. */
export interface ScmState {
  /** The SCM as one of the users `bot`, `ada` and `bob` sees it. */
  as(login: "bot" | "ada" | "bob"): Scm;
  readonly remote: {
    /** Pushed by its committer, who is its author where nothing else is said. */
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
  /** By `ada`, from a fork of hers whose branch lies at `forks/ada/<branch>` of the remote; answers its number. */
  openFromFork(branch: string): Promise<number>;
  /** By `ada`. */
  closePullRequest(number: number): Promise<void>;
  /** The organisation's team of that slug has these members; asked for before anything else. */
  readonly team: { readonly slug: string; readonly logins: readonly string[] };
  setUnavailable(down: boolean): void;
  close(): Promise<void>;
}

/** What an SCM cannot show: check runs next to commit statuses. */
export type Untold = "checkRuns";

/** How one SCM is tried. */
export interface ScmSetup {
  readonly make: (rules: ScmRules) => Promise<ScmState>;
  readonly untold: ReadonlySet<Untold>;
}

export interface ScmRules {
  readonly requiredReviews: number;
  readonly requiredChecks: readonly string[];
  /** Types of the rules of branch `meshroll/ledger`; absent: a test does not look at them. */
  readonly ledgerRules?: readonly string[];
}
