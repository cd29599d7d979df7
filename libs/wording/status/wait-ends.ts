import { findNamed, findRunNamed, lookUp } from "#libs/input";

import type { ReasonCode } from "../reasons/reason.ts";
import { type Text, writeText } from "../text.ts";

/** Who ends a wait that has no time: a person, or it passes by itself. */
type EndedBy = "person" | "itself";

/** What ends a wait, in words. */
interface WaitEnding {
  readonly by: EndedBy;
  /** Follows "ends". */
  readonly text: Text;
  /** Its time is that of a reminder: it does not end then. */
  readonly isReminder?: true;
}

interface Entry {
  readonly by: EndedBy;
  readonly text: string;
  readonly isReminder?: true;
}

function byPerson(text: string): Entry {
  return { by: "person", text };
}

function byItself(text: string): Entry {
  return { by: "itself", text };
}

const command = byPerson("when its command was run");
/** A stop may have a time at which its owner is reminded. */
const stop: Entry = { ...command, isReminder: true };
const merged = byPerson("when a change that says so is merged");
const merging = byPerson("when a person merges it, or closes it");
const token = byPerson("when GitHub accepts the App again");
const retried = byPerson("when what the sentence names is put right; it is tried again by itself");
const reconciled = byItself("with the next reconcile, within seconds");
const rolled = byItself("when those workloads are ready");
const owner = byPerson("when the owner of the workload has changed that");
const mesh = byPerson("when the mesh operator has put that right in the cluster");
const login = byPerson("when the login has that right");
const queue = byPerson("when Redis is set up as the sentence says");
const judged = byItself("when it is judged again, which is tried by itself");
const batchOver = byItself("when the batch ends, at once");

const ends: Readonly<Record<ReasonCode, Entry>> = {
  GitDown: byItself("when the git server answers again"),
  GitRefused: byPerson("when git accepts the planner's token again"),
  AppKeyUnread: token,
  AppKeyWrong: token,
  AppUnknown: token,
  AppClockOff: token,
  AppNotInstalled: token,
  AppSuspended: token,
  AppNotForRepository: token,
  AppRightMissing: token,
  RepositoryMoved: byPerson("when all services have the new address"),
  BranchGone: byPerson("when the branch is back, or the services have the new name"),
  MainUnparsable: byPerson("when a commit that parses is merged"),
  MainRewritten: byPerson("when the new main is adopted, or the old one is back"),
  CommitUnread: byItself("when git hands out the commit"),
  LedgerDown: byPerson("when the branch of the ledger takes pushes again"),
  LedgerSlow: byItself("when the git server answers"),
  NoBaseline: command,
  ArchiveUnread: byItself("when the archived record is read, within seconds"),
  CampaignUnparsable: byPerson("when a file of the campaign that is right is merged"),
  MainUnreadable: byPerson("when git hands out the commit in full"),
  LedgerUnreadable: byPerson("when the ledger can be read again"),
  LedgerSetBack: command,
  LedgerUnprotected: byPerson("when only meshroll may push to the ledger"),
  OtherInstallation: byPerson("when the services have the id of the ledger's installation"),
  ClusterUnreachable: byItself("when the cluster is seen again"),
  NoClusterSeen: byPerson("when an executor publishes a cluster"),
  NoCluster: byPerson("when an executor publishes a cluster"),
  ClusterOfOther: byPerson("when the cluster belongs to this installation"),
  ClusterUnclaimed: byItself("when the executor has claimed the cluster"),
  OtherCluster: byPerson("when the kubeconfig leads to that cluster again"),
  ObserveOnly: byPerson("when the executor runs with --act"),
  BudgetsUnknown: byPerson("when the executor may read PodDisruptionBudgets"),
  RevisionMissing: mesh,
  IstiodNotReady: byItself("when that istiod is ready"),
  InjectionRefused: mesh,
  InjectionSkewed: mesh,
  InjectionUnproven: byItself("when a dry run shows the right sidecar"),
  MaxVersionUnreadable: merged,
  VersionUnknown: byItself("when istiod reports its version"),
  VersionAboveMax: merged,
  BatchReady: reconciled,
  RollbackReady: reconciled,
  BatchFull: rolled,
  BatchSettling: rolled,
  DelayBetweenBatches: byItself("when the delay is over"),
  MaxUnavailable: byItself("when enough of those workloads are available"),
  NamespaceBegun: byItself("when that namespace is through"),
  BatchInHand: byItself("when the batch is through"),
  WritesRefused: byPerson("when the API server accepts the writes; each is tried again within a minute"),
  JobFailed: command,
  ForeignJob: reconciled,
  BudgetAllowsNothing: owner,
  BudgetAllowsLess: owner,
  PausedByOwner: byPerson("when its owner resumes its rollouts"),
  AwaitsPromotion: byPerson("when its owner promotes or aborts the Rollout"),
  RolloutDegraded: byPerson("when its owner retries or puts back what Argo aborted"),
  Partitioned: byPerson("when its owner sets the partition to 0"),
  OwnerRollout: byItself("when the owner's rollout is ready"),
  AwaitsDeploy: byPerson("when the owners deploy, or at the deadline of the stage"),
  TagNotMoved: byPerson("when the revision tag is moved"),
  GatewayHeld: byPerson("when the gateway may move too, or has a namespace of its own"),
  QueueDown: byPerson("when Redis answers again"),
  LockLost: batchOver,
  ControlUnknown: byItself("when the planner publishes what is stopped"),
  ControlAhead: byItself("when the executor has fetched the commit"),
  MainUnknown: byItself("when the executor reads main again"),
  LedgerDoubted: byPerson("when the planner uses the newest ledger again"),
  NothingReadable: batchOver,
  RunOver: batchOver,
  CommitGone: batchOver,
  NotDemanded: batchOver,
  NotPending: batchOver,
  TriedLast: batchOver,
  Gone: batchOver,
  Stopped: stop,
  SeveralCampaigns: { ...stop, text: "when the run is rolled back, or main changes those buckets again" },
  WindowClosed: byPerson("when a change of the windows is merged: none opens within a year"),
  Frozen: byPerson("when a change of the freezes is merged: they leave no open time within a year"),
  WaveClosed: byItself("when the wave before is over"),
  DelayBetweenWaves: byItself("when the delay is over"),
  Baking: byItself("when it was healthy for long enough"),
  BakeUnseen: byItself("when the cluster is seen again"),
  BakeUnhealthy: byItself("when those workloads have their pods"),
  RollbackInForce: byItself("when that rollback is over"),
  RollbackRefused: stop,
  GatePending: byItself("when the gate has measured enough"),
  GateNoData: byPerson("when the gate's source has data"),
  NoEvidence: byPerson("when one more workload migrates, or a change of minWorkloads is merged"),
  GateFailed: stop,
  OverwrittenByOwners: command,
  StageUnjudged: reconciled,
  StageRunning: byItself("when the run before is over"),
  StageHeld: stop,
  StageImpossible: merged,
  StageEmpty: merged,
  StageNoEvidence: merged,
  StageByHand: byPerson("when a person has merged that change"),
  StageOpening: reconciled,
  StageFailed: retried,
  StageTaken: merging,
  StageMerged: byItself("when main is read next, within seconds"),
  StageClosed: byItself("when the hold is recorded, within seconds"),
  StageRefused: byPerson("when a person merges it, or GitHub's demands are met"),
  ReviewRulesMissing: byPerson("when the rule is set, or a person merges it"),
  PlanRed: byPerson("when the check is green, or the pull request is closed"),
  ApprovalNeeded: byPerson("when the approvals are given"),
  MergeNeeded: merging,
  MergeNotice: byItself("when both checks are green and the notice is over"),
  StageQueued: byItself("when the checks of its group in the merge queue are green"),
  GitHubUnread: byItself("when the planner has read GitHub"),
  ProposalNext: reconciled,
  RollbackByHand: byPerson("when a person has merged that change"),
  RollbackClosed: command,
  RollbackMerged: byItself("when main is back, or after the command if main was changed since"),
  RollbackPending: byItself("when the checks are green and it is merged"),
  RollbackTaken: merging,
  RollbackForward: byPerson("when the pull request is approved"),
  RollbackApprovals: byPerson("when the pull request is approved"),
  RollbackMergeRefused: byPerson("when a person merges it, or GitHub's demands are met"),
  RollbackFailed: retried,
  ChecksSpent: command,
  CheckForeign: byPerson("when both checks are required from meshroll's app alone"),
  PullRequestUnread: judged,
  ChecksQueued: byItself("when its turn comes"),
  GitOverLimit: judged,
  JudgeTimeLimit: judged,
  JudgeMemoryLimit: judged,
  JudgeFault: judged,
  JudgeUnavailable: byPerson("when the planner's machine can start a process again"),
  PullRequestsFailed: retried,
  GitHubUnavailable: byItself("when GitHub answers again"),
  GitHubLimitKept: byItself("when GitHub's limit begins again"),
  StageOver: byPerson("when the pull request is closed"),
  ForkUnasked: byPerson("when a person with write access has asked for it"),
  BusLoginRefused: login,
  BusRightMissing: login,
  BusFull: byPerson("when NATS has room again"),
  BusNotMade: byPerson("when the bucket or stream is made"),
  QueueFull: byPerson("when Redis has room again"),
  QueueLoginRefused: login,
  QueueRightMissing: login,
  QueueReadOnly: queue,
  QueueTooOld: queue,
  QueueEvicts: queue,
  QueueForgets: queue,
  QueueUnknown: queue,
  StatusTooLarge: byItself("when the status is small enough again"),
  NoPlanner: byPerson("when a planner runs"),
  NothingLeft: byPerson("when a person acts"),
};

/** What ends a wait that has no time, or only that of a reminder. A newer planner's code is not known: its sentence says it. */
export function wordWaitEnding(code: string): WaitEnding {
  const { text, ...rest } = lookUp(ends, code) ?? byPerson("when what the sentence names has changed");
  return { ...rest, text: writeText(text) };
}

/** Kinds of a scope that `describe` takes as `KIND/NAME`. */
const described = ["cluster", "campaign", "namespace"] as const;

/** The command that shows more of what waits, and changes nothing. */
export function nameLook(scope: string): string {
  const run = findRunNamed(scope);
  if (run !== undefined) return `meshroll describe run/${run}`;
  const kind = described.find((each) => findNamed(each, scope) !== undefined);
  if (kind !== undefined) return `meshroll describe ${kind}/${findNamed(kind, scope) ?? ""}`;
  const pull = /^pull\/([0-9]+)$/.exec(scope)?.[1];
  return pull === undefined ? "meshroll status" : `gh pr view ${pull}`;
}
