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
  /** `meshroll.yml`; what holds for one run says `settingsOf`. */
  readonly settings: Settings;
  /** Unfinished ones (not in `campaigns/done/`), by name. */
  readonly campaigns: ReadonlyMap<string, Campaign>;
  /** Campaigns that are held because their files cannot be used; in `campaigns` as they were last, where that is known. */
  readonly unread?: readonly UnreadCampaign[];
  /** Why no file of the folder was read: which campaigns there are is not known. */
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

/** What one commit's files turned out to be. */
export type SpecPoint =
  | { readonly commit: CommitFacts; readonly spec: Spec }
  | { readonly commit: CommitFacts; readonly findings: readonly Finding[] };

/** The protected branch, as last fetched together with the ledger (rules 1.7: one fetch). */
export interface MainFacts {
  readonly head: string;
  /** Real ms since the fetch that said so; Infinity for what the clone of an earlier process knows. */
  readonly ageMs: number;
  /** False when the head last recorded is not in main's first-parent history any more: a forced push. */
  readonly contained: boolean;
  /** Commits that the ledger or a verb names (of runs, rollbacks, the baseline) and that main does not have. */
  readonly vanished: readonly string[];
  /** First-parent commits after the one last judged, oldest first. Empty when not contained. */
  readonly points: readonly SpecPoint[];
  /** Commits that a decision needs, head and the one last judged among them, whose files do not parse: what is wrong with each. */
  readonly unreadable?: ReadonlyMap<string, readonly Finding[]>;
}

/** One cluster, as its executor last published it. */
export interface ClusterSnapshot {
  readonly name: string;
  readonly facts: ClusterFacts;
  /** Changed within 60 s of the planner's own clock, and the keys equal `count` (rules 9.1). */
  readonly fresh: boolean;
  /** Another installation that its ConfigMap says serves it, "" = none that can be read: it gets no work of ours. Absent = ours. */
  readonly servedFor?: string;
  /** Real ms since its value last changed. */
  readonly ageMs: number;
  readonly namespaces: ReadonlyMap<string, NamespaceInventory>;
  readonly batch: BatchFacts | undefined;
  /** Epoch ms by the clock of its API server, as it said last, for the `times` of its workloads; absent = it never said. */
  readonly serverNow?: number;
  /** `now`-time when the planner that leads last saw a batch end; long ago where it saw none. The executor knows better. */
  readonly batchEndedAt: number;
}

/** An executor serves it and has never read it: a wrong kubeconfig, or an API server that it cannot reach. */
export interface UnseenCluster {
  readonly name: string;
  readonly mode: ClusterFacts["mode"];
  readonly problems: readonly string[];
}

/** The job in a cluster's queue. */
export interface BatchFacts {
  readonly run: string;
  /** `foreign`: no job of ours; it says nothing of what was handed out. `unread`: this queue alone does not say what it holds. */
  readonly state: "waiting" | "active" | "failed" | "foreign" | "unread";
  readonly reason?: string;
}

/** A person's verb on its way (KV `control`, key `request.<id>`). */
export interface VerbRequest {
  readonly id: string;
  /** `rollback` and `retry` speak of a scope `run/<id>`. */
  readonly verb: "stop" | "resume" | "retry" | "rollback" | "converge";
  readonly scope: StopScope;
  readonly strength: "propose" | "move";
  /** As the caller names itself; GitHub said so when `verified`. */
  readonly who: string;
  readonly verified?: true;
  readonly why: string;
  readonly at: string;
  /** Of a stop: ISO time at which it is overdue. */
  readonly until?: string;
  /** Of a resume: the ids of the records that it ends; absent = all that stand on exactly this scope (rules 7.5). */
  readonly stops?: readonly string[];
  /** Of a retry: `cluster:namespace/Kind/name`; absent = all that failed in the run. */
  readonly workloads?: readonly string[];
  /** Of a rollback: a commit whose distributions main has had; absent = the one before the run. */
  readonly revertTo?: string;
  /** Of a rollback: at once, before a pull request is merged (rules 2.4). */
  readonly now?: true;
}

/** A pull request of ours for a stage, as GitHub last told: by its branch `meshroll/<campaign>/<stage>[-n]`. */
export interface StagePull {
  readonly branch: string;
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "merged" | "closed";
  readonly headSha: string;
  /** Of a closed one: who closed it, and when (epoch ms), as far as GitHub says. */
  readonly closedBy?: string;
  readonly closedAt?: number;
  /** Its two checks as they were judged last; absent = not judged by this planner yet. */
  readonly checks?: {
    readonly plan: "success" | "failure" | "pending";
    readonly approvals: "success" | "failure" | "pending";
  };
  /**
   * Who moves when its head is merged into that main, one workload a line (rules 10.2); absent = not judged yet, or its head
   * does something else than the stage.
   */
  readonly list?: { readonly text: string; readonly digest: string; readonly main: string };
  /** Why meshroll does not touch it any more: who committed to its branch. */
  readonly takenBy?: string;
}

/** What one gate measured outside the fleet, newest last; what was bad is in the ledger too. */
export interface Sample {
  /** Epoch ms of `Clock`. */
  readonly at: number;
  /** ISO of the moment that it was made for, as a record names it: it stays when the machine's clock is set. Absent = `at`. */
  readonly madeAt?: string;
  /** Absent = no data. */
  readonly value?: number;
  /** The same query on the replaced revision. */
  readonly baseline?: number;
  /** Why there is no baseline, though a workload still runs what is replaced. */
  readonly baselineFault?: string;
  readonly query: string;
  /** Why there is no value. */
  readonly fault?: string;
}

/** Healthy time of a run that this planner saw since the ledger last saved its bake (rules 6.2), ms. */
export interface BakeWatch {
  readonly healthyMs: number;
  /** What this planner saw before that, and the ledger has; absent = it saves by the usual step alone. */
  readonly savedMs?: number;
  /** Why it pauses now; absent = it counts. */
  readonly paused?: Reason;
  /** For how long it has paused without a break, real ms; absent = it counts, or paused just now. */
  readonly pausedMs?: number;
}

/** One immutable snapshot: everything that a decision may look at. */
export interface Snapshot {
  /** Epoch ms of the time people live in. */
  readonly now: number;
  readonly main: MainFacts;
  /** Absent = no `meshroll init` yet, or not readable: observe only. */
  readonly ledger: LedgerState | undefined;
  /** The branch has a newer commit than `ledger` that is not used: nothing moves forward. */
  readonly ledgerDoubt?: LedgerDoubt;
  /** Parsed files of the commits that open runs and `judged` name, and of main's head when it parses. */
  readonly specs: ReadonlyMap<string, Spec>;
  readonly clusters: ReadonlyMap<string, ClusterSnapshot>;
  /** Those that are no part of the fleet yet; for people. Absent = there is none. */
  readonly unseen?: readonly UnseenCluster[];
  readonly requests: readonly VerbRequest[];
  /** `now`-time since when a workload has been waiting for its owner, `cluster:namespace/Kind/name`; as far as this planner saw. */
  readonly waitingSince: ReadonlyMap<string, number>;
  /** Stage pull requests, by branch; absent = GitHub is not configured, or was not read yet. */
  readonly pulls?: ReadonlyMap<string, StagePull>;
  /** By run id: what this planner watched of its bake. */
  readonly bakes?: ReadonlyMap<string, BakeWatch>;
  /** By `<run id>/<gate name>`: what was measured. */
  readonly samples?: ReadonlyMap<string, readonly Sample[]>;
  /** Redis answers: without it nothing is handed out. */
  readonly queueUp: boolean;
  /** Why it takes no batch though it may answer: it is full, or refuses our login. Absent = nothing is known against it. */
  readonly queueTrouble?: Reason;
  /**
   * Why the last push of the ledger failed, while it is not tried again: no transition is decided, and nothing new starts but
   * what stops and is rolled back (rules 8.2). Absent = the ledger takes what is decided.
   */
  readonly ledgerDown?: string;
  /** Since when a push of the ledger has had no answer, and which: the same holds while it is on its way. */
  readonly ledgerSlow?: string;
}
