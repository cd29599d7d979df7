import type { RecordedPush } from "../../auditor/evidence/git/recorded-repository.ts";

/** A real SCM that has the repository of a fleet. */
export interface FleetScm {
  readonly gitUrl: string;
  /** Token of a person who may push to main. */
  readonly token: string;
  /** The bare repository on this machine. */
  readonly gitFolder: string;
  /** Puts the files on main, and sets up what a merge requires. */
  begin(
    files: Readonly<Record<string, string>>,
    rules: { readonly requiredChecks: readonly string[]; readonly requiredReviews: number },
  ): Promise<void>;
  /** Pushes to branches, as git recorded them; `toCluster` turns epoch ms into the clusters' time. */
  listPushes(toCluster: (ms: number) => number): readonly RecordedPush[];
}
