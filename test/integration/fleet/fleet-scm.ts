import type { RecordedPush } from "../../auditor/evidence/git/recorded-repository.ts";

/** A real SCM that has the repository of a fleet. */
export interface FleetScm {
  readonly gitUrl: string;
  /** Of a person who may push to main. */
  readonly token: string;
  /** The bare repository on this machine. */
  readonly gitFolder: string;
  /** Puts the files on main, and what a merge needs. */
  begin(
    files: Readonly<Record<string, string>>,
    rules: { readonly requiredChecks: readonly string[]; readonly requiredReviews: number },
  ): Promise<void>;
  /** Moves of branches, as git itself recorded them; `toCluster` turns epoch ms into the clusters' time. */
  listPushes(toCluster: (ms: number) => number): readonly RecordedPush[];
}
