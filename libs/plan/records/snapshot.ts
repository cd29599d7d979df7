import type { Campaign, Settings } from "#libs/campaign";
import type { ClusterFacts, NamespaceInventory } from "#libs/fleet";
import type { Finding, Resolver, Rollouts } from "#libs/rollouts";
import type { Reason } from "#libs/wording";

import type { LedgerDoubt } from "./ledger-doubt.ts";
import type { StopScope } from "#libs/input";
import type { LedgerState } from "./ledger-state.ts";
import type { UnreadCampaign } from "./unread-campaign.ts";

/** The files of one commit of main, parsed and compiled. */
export interface Spec {
  readonly commit: string;
  readonly rollouts: Rollouts;
  /** `meshroll.yml`; for the settings of one run use `settingsOf`. */
  readonly settings: Settings;
  /** Unfinished ones (not in `campaigns/done/`), by name. */
  readonly campaigns: ReadonlyMap<string, Campaign>;
  /** Campaigns that are held because their files cannot be used; `campaigns` has their last readable version, where known. */
  readonly unread?: readonly UnreadCampaign[];
  /** Why no file of the folder was read; the campaigns are then unknown. */
  readonly unreadFolder?: Finding;
  readonly resolver: Resolver;
}

/** A first-parent commit of main. */
export interface CommitFacts {
  readonly sha: string;
  readonly author: string;
  /** First line of its message. */
  readonly subject: string;
  readonly at: number;
}

/** The result of reading one commit's files. */
export type SpecPoint =
  | { readonly commit: CommitFacts; readonly spec: Spec }
  | { readonly commit: CommitFacts; readonly findings: readonly Finding[] };

/** The protected branch, as last fetched together with the ledger (rules 1.7: one fetch). */
export interface MainFacts {
  readonly head: string;
  /** Real ms since main was fetched; Infinity for the clone of an earlier process. */
  readonly ageMs: number;
  /** False when main's first-parent history no longer contains the recorded head: a forced push. */
  readonly contained: boolean;
  /** Commits that the ledger or a verb names (of runs, rollbacks, the baseline) and that main does not have. */
  readonly vanished: readonly string[];
  /** First-parent commits after the one last judged, oldest first. Empty when not contained. */
  readonly points: readonly SpecPoint[];
  /** Needed commits whose files do not parse, with the findings; head and the last judged commit are always needed. */
  readonly unreadable?: ReadonlyMap<string, readonly Finding[]>;
}

/** One cluster, as its executor last published it. */
export interface ClusterSnapshot {
  readonly name: string;
  readonly facts: ClusterFacts;
  /** It changed within 60 s of the planner's own clock, and has as many keys as its `count` (rules 9.1). */
  readonly fresh: boolean;
  /** The other installation that its ConfigMap names, "" = an unreadable one: it gets no jobs. Absent = ours. */
  readonly servedFor?: string;
  /** Real ms since its value last changed. */
  readonly ageMs: number;
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
  readonly batch: BatchFacts | undefined;
  /**
   * Epoch ms by the clock of its API server, as last reported, to compare with the `times` of workloads; absent = never
   * reported.
   */
  readonly serverNow?: number;
  /** `now`-time at which the leading planner last saw a batch end; long ago where it saw none. The executor knows better. */
  readonly batchEndedAt: number;
}

/** A cluster whose executor has never read it: a wrong kubeconfig, or an unreachable API server. */
export interface UnseenCluster {
  readonly name: string;
  readonly mode: ClusterFacts["mode"];
  readonly problems: readonly string[];
}

/** The job in a cluster's queue. */
export interface BatchFacts {
  readonly run: string;
  /**
   * `foreign`: not a job of ours, so it says nothing about what was handed out. `unread`: the contents of this queue are
   * unknown.
   */
  readonly state: "waiting" | "active" | "failed" | "foreign" | "unread";
  readonly reason?: string;
}

/** An open verb of a person (KV `control`, key `request.<id>`). */
export interface VerbRequest {
  readonly id: string;
  /** `rollback` and `retry` have a scope `run/<id>`. */
  readonly verb: "stop" | "resume" | "retry" | "rollback" | "converge";
  readonly scope: StopScope;
  readonly strength: "propose" | "move";
  /** As the caller names itself; named by GitHub when `verified`. */
  readonly who: string;
  readonly verified?: true;
  readonly why: string;
  readonly at: string;
  /** For a stop: ISO time at which it is overdue. */
  readonly until?: string;
  /** For a resume: the ids of the stops that it ends; absent = all on exactly this scope (rules 7.5). */
  readonly stops?: readonly string[];
  /**
   * `cluster:namespace/Kind/name`, or `cluster:namespace/*`. For a retry; absent = all that failed in the run. For a converge;
   * absent = all of its scope.
   */
  readonly workloads?: readonly string[];
  /** For a rollback: a commit whose distributions main has had; absent = the one before the run. */
  readonly revertTo?: string;
  /** For a rollback: at once, before a pull request is merged (rules 2.4). */
  readonly now?: true;
}

/** A stage's pull request as GitHub last reported it; its branch is `meshroll/<campaign>/<stage>[-n]`. */
export interface StagePull {
  readonly branch: string;
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "merged" | "closed";
  readonly headSha: string;
  /** For a closed one: who closed it and when (epoch ms), as far as GitHub says. */
  readonly closedBy?: string;
  readonly closedAt?: number;
  /** Its two checks as last judged; absent = not judged by this planner yet. */
  readonly checks?: {
    readonly plan: "success" | "failure" | "pending";
    readonly approvals: "success" | "failure" | "pending";
  };
  /**
   * The workloads that its merge into `main` moves, one a line (rules 10.2); absent = not judged yet, or its head does
   * something else than the stage.
   */
  readonly list?: { readonly text: string; readonly digest: string; readonly main: string };
  /** Who committed to its branch; meshroll then leaves it alone. */
  readonly takenBy?: string;
}

/** One measurement of a gate from outside the fleet. Bad ones are in the ledger too. */
export interface Sample {
  /** Epoch ms of `Clock`. */
  readonly at: number;
  /** ISO time that the measurement is for, as a record names it; unaffected when the machine's clock is set. Absent = `at`. */
  readonly madeAt?: string;
  /** Absent = no data. */
  readonly value?: number;
  /** The value of the same query on the replaced revision. */
  readonly baseline?: number;
  /** Why there is no baseline although a workload still runs the replaced revision. */
  readonly baselineFault?: string;
  readonly query: string;
  /** Why there is no value. */
  readonly fault?: string;
}

/** Healthy time of a run, ms, that this planner saw since the ledger last saved its bake (rules 6.2). */
export interface BakeWatch {
  readonly healthyMs: number;
  /** Healthy time before that, which the ledger has, ms; absent = saves come in the usual steps. */
  readonly savedMs?: number;
  /** Why it is paused now; absent = it counts. */
  readonly paused?: Reason;
  /** How long it has been paused without interruption, real ms; absent = it counts, or was paused just now. */
  readonly pausedMs?: number;
}

/** All facts that a decision may use, immutable. */
export interface Snapshot {
  /** Epoch ms of the services' clock. */
  readonly now: number;
  readonly main: MainFacts;
  /** Undefined before `meshroll init`, or while it cannot be read: only observe. */
  readonly ledger: LedgerState | undefined;
  /** Why the branch's newest commit is not used; then nothing moves forward. */
  readonly ledgerDoubt?: LedgerDoubt;
  /** Parsed files of main's head, of `judged` and of the commits of open runs, where they parse. */
  readonly specs: ReadonlyMap<string, Spec>;
  readonly clusters: ReadonlyMap<string, ClusterSnapshot>;
  /** Clusters that are not part of the fleet yet, for people. Absent = none. */
  readonly unseen?: readonly UnseenCluster[];
  readonly requests: readonly VerbRequest[];
  /**
   * `now`-time since when a workload has been waiting for its owner, by `cluster:namespace/Kind/name`, as this planner saw it.
   */
  readonly waitingSince: ReadonlyMap<string, number>;
  /** Stage pull requests, by branch; absent = GitHub is not configured, or was not read yet. */
  readonly pulls?: ReadonlyMap<string, StagePull>;
  /** What this planner saw of bakes, by run id. */
  readonly bakes?: ReadonlyMap<string, BakeWatch>;
  /** Measurements by `<run id>/<gate name>`, newest last. */
  readonly samples?: ReadonlyMap<string, readonly Sample[]>;
  /** Redis answers; otherwise nothing is handed out. */
  readonly queueUp: boolean;
  /** Why Redis accepts no batch although it may answer: it is full, or refuses our login. Absent = no known trouble. */
  readonly queueTrouble?: Reason;
  /**
   * Why the last push of the ledger failed, until it is tried again: no transition is decided, and only stops and rollbacks
   * take effect (rules 8.2). Absent = pushes succeed.
   */
  readonly ledgerDown?: string;
  /** Which push of the ledger has had no answer, and since when; has the same effect. */
  readonly ledgerSlow?: string;
}
