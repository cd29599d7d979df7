import type { Scm, PullRequest } from "#libs/scm";
import type { RunRecord, Snapshot } from "#libs/plan";

/** What a comment is about: decided by where it was written. */
export type Subject =
  /** On the dashboard issue: the whole fleet. */
  | { readonly kind: "fleet" }
  /** On a pull request of ours, or one whose merge started a run. */
  | {
      readonly kind: "pull";
      readonly pull: PullRequest;
      /** Of a stage's pull request, also before the merge; else the run's. */
      readonly campaign?: string;
      /** The run that its merge started. */
      readonly run?: RunRecord;
    };

/** Matches branches of stages, and the rollback's and the ledger's, which are excluded below. */
const stageBranch = /^meshroll\/([^/]+)\/[^/]+$/u;

function nameCampaign({ branch, fork }: PullRequest): string | undefined {
  const name = fork === true ? undefined : stageBranch.exec(branch)?.[1];
  return name === "rollback" || name === "ledger" ? undefined : name;
}

function findRun({ ledger }: Snapshot, { mergeSha }: PullRequest): RunRecord | undefined {
  if (mergeSha === undefined) return undefined;
  return Object.values(ledger?.runs ?? {}).find(
    ({ commit, converge }) => commit === mergeSha && converge === undefined,
  );
}

/** Undefined for an issue, and for a pull request that is neither ours nor a run: commands there are ignored. */
export async function findSubject(
  scm: Pick<Scm, "findPullRequest">,
  snapshot: Snapshot,
  number: number,
  isDashboard: boolean,
): Promise<Subject | undefined> {
  if (isDashboard) return { kind: "fleet" };
  const pull = await scm.findPullRequest(number);
  if (pull === undefined) return undefined;
  const run = findRun(snapshot, pull);
  const campaign = nameCampaign(pull) ?? run?.campaign;
  const isOurs = pull.fork !== true && pull.branch.startsWith("meshroll/");
  if (!isOurs && run === undefined) return undefined;
  return {
    kind: "pull",
    pull,
    ...(campaign === undefined ? {} : { campaign }),
    ...(run === undefined ? {} : { run }),
  };
}
