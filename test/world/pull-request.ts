import type { MergedFiles, PermissionFact, PullRequestQuestion, ReviewFacts } from "#libs/plan";
import { compileSpec, type LedgerState, type Spec, type StopRecord, type Snapshot } from "#libs/plan";

import { makeCluster, makeLedger, makeRun, makeWorkload, noon, sha } from "./build.ts";

/** Main has been at half since the run of commit `main`; a pull request of ana raises the share, or rolls back. */
export const [baseSha, mainSha, headSha] = [sha("base"), sha("main"), sha("head")];
export const half = "production:\n  old: 50\n  new: 50\n.*-stg:\n  old: 50\n  new: 50\n";
export const more = half.replace("old: 50\n  new: 50\n.*", "old: 0\n  new: 100\n.*");
export const before = half.replace("old: 50\n  new: 50\n.*", "old: 100\n  new: 0\n.*");

export function specOf(commit: string, text: string, settings?: string): Spec {
  const compiled = compileSpec(commit, text, settings);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings));
  return compiled.spec;
}

export function filesOf(
  text: string,
  settings?: string,
  campaigns: readonly string[] = [],
  others: readonly string[] = [],
): MergedFiles {
  const texts = { "rollouts.yml": text, ...(settings === undefined ? {} : { "meshroll.yml": settings }) };
  return {
    kind: "files",
    compiled: compileSpec(headSha, text, settings),
    texts,
    campaigns,
    changed: [...Object.keys(texts), ...campaigns, ...others],
  };
}

export const names = ["a", "b", "c", "d", "e", "f", "g", "h", "a-stg", "b-stg"];
export const fleet = makeCluster(
  "one",
  names.map((name) => makeWorkload(`${name}/web`)),
);

/** The run that brought main from none to half; going back to `before` is a rollback. */
export const run = makeRun(mainSha, baseSha, {
  changes: [{ pattern: "production", from: '[["old",100]]', to: '[["new",50],["old",50]]', direction: "forward" }],
});

/** What a test changes. */
export interface Change {
  readonly stops?: readonly StopRecord[];
  readonly ledger?: LedgerState;
  readonly main?: Spec;
  readonly snapshot?: Partial<Snapshot>;
  readonly reviews?: readonly ReviewFacts[];
  /** Default: a person opened it. */
  readonly own?: PullRequestQuestion["own"];
}

export function request(merged: MergedFiles, change: Change = {}): PullRequestQuestion {
  const stops = Object.fromEntries((change.stops ?? []).map((stop) => [stop.id, stop]));
  const snapshot: Snapshot = {
    now: noon,
    main: { head: mainSha, ageMs: 0, contained: true, vanished: [], points: [] },
    ledger: makeLedger({ main: mainSha, judged: mainSha, runs: { [run.id]: run }, stops }),
    specs: new Map([[mainSha, change.main ?? specOf(mainSha, half)]]),
    clusters: new Map([["one", fleet]]),
    requests: [],
    waitingSince: new Map(),
    queueUp: true,
    ...change.snapshot,
  };
  const pull = { number: 7, author: "ana", headSha };
  const reviews = change.reviews ?? [];
  const digest = (text: string): string => `digest-of-${text.length}`;
  const { own } = change;
  return {
    pull,
    ...(own === undefined ? {} : { own }),
    reviews,
    permissions,
    commits: [{ sha: headSha, author: "ana", committer: "ana" }],
    merged,
    snapshot,
    digest,
  };
}

/** All accounts may write except `reader`, and except one about which the token may not read. */
const permissions = new Map<string, PermissionFact>([
  ...["ana", "ben", "cleo", "boss", "mallory", "x"].map((login) => [login, "write"] as const),
  ["reader", "read"],
  ["hidden", "unknown"],
]);

export function approve(author: string, change: Partial<ReviewFacts> = {}): ReviewFacts {
  return { author, state: "approved", commit: headSha, at: noon, ...change };
}
