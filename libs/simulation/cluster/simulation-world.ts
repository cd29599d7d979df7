import type { Campaign, Settings } from "#libs/campaign";
import {
  type BakeWatch,
  type ClusterSnapshot,
  type CommitFacts,
  applyChange,
  type LedgerChange,
  type LedgerState,
  makeBaseline,
  nameInFleet,
  parseTime,
  type ProposedStage,
  type RunRecord,
  type Spec,
  type SpecPoint,
  evaluateFleet,
  type Snapshot,
} from "#libs/plan";
import type { Resolver } from "#libs/rollouts";

import { RecordPool } from "./record-pool.ts";
import { type StartCluster, type RevisionOf, SimulatedCluster } from "./simulated-cluster.ts";

const author = "meshroll simulate";

/** A made-up commit id; runs are named by its first twelve digits, as usual. */
function nameCommit(branch: "main" | "ledger", number: number): string {
  return `${branch === "main" ? "51" : "1e"}${number.toString(16).padStart(10, "0")}`.padEnd(40, "0");
}

function passGates(settings: Settings): Settings {
  return settings.gates.length === 0 ? settings : { ...settings, gates: [] };
}

/** A simulated fleet has no measurements, so every gate passes at once. */
function withoutGates(campaign: Campaign): Campaign {
  return {
    ...campaign,
    stages: campaign.stages.map((stage) => ({ ...stage, settings: passGates(stage.settings) })),
  };
}

/** Whether settings contain percentages of the cluster's workloads, for which all workloads must be counted. */
function needsAll({ settings, campaigns }: Spec): boolean {
  const stages = [...campaigns.values()].flatMap((campaign) => campaign.stages.map((stage) => stage.settings));
  return [settings, ...stages].some(({ batch }) => typeof batch.maxUnavailable === "object");
}

/** Caches resolved names: clusters share namespaces, and a stage begins with what the previous one ended with. */
function remember(resolver: Resolver): RevisionOf {
  const known = new Map<string, string>();
  return (namespace) => {
    const remembered = known.get(namespace);
    if (remembered !== undefined) return remembered;
    const { revision } = resolver.resolve(namespace);
    known.set(namespace, revision);
    return revision;
  };
}

interface EnvironmentOptions {
  readonly start: number;
  readonly lookAtAll?: true;
}

/** The facts of a planner's snapshot, changed by the simulation. */
export class SimulationSnapshot {
  readonly clusters: ReadonlyMap<string, SimulatedCluster>;
  readonly #showsAll: boolean;
  now: number;
  #ledger: LedgerState;
  #head: Spec;
  readonly #specs: Map<string, Spec>;
  #points: readonly SpecPoint[] = [];
  #waitingSince: ReadonlyMap<string, number> = new Map();
  #merges = 0;
  /** The desired revisions by the head. */
  #answers: RevisionOf | undefined;

  constructor(head: Spec, campaign: Campaign, clusters: Iterable<StartCluster>, options: EnvironmentOptions) {
    const { start } = options;
    this.now = start;
    this.#showsAll = options.lookAtAll === true;
    const pool = new RecordPool();
    this.clusters = new Map([...clusters].map((each) => [each.name, new SimulatedCluster(each, start, pool)]));
    this.#head = {
      ...head,
      commit: nameCommit("main", 0),
      settings: passGates(head.settings),
      campaigns: new Map([[campaign.name, withoutGates(campaign)]]),
    };
    this.#specs = new Map([[this.#head.commit, this.#head]]);
    // As after `meshroll init`: no run is open, and a difference from the file is drift.
    this.#ledger = makeBaseline(this.#head.commit, start, author, "simulation0a").next;
  }

  get head(): Spec {
    return this.#head;
  }

  get ledger(): LedgerState {
    return this.#ledger;
  }

  /** A snapshot as a planner takes it; of these clusters only, where the others cannot have changed. */
  reconcile(names: Iterable<string> = this.clusters.keys()): Snapshot {
    const clusters = new Map<string, ClusterSnapshot>();
    for (const name of names) {
      const cluster = this.clusters.get(name);
      if (cluster !== undefined) clusters.set(name, cluster.snapshot);
    }
    const { commit: head } = this.#head;
    return {
      now: this.now,
      main: { head, ageMs: 0, contained: true, vanished: [], points: this.#points },
      ledger: this.#ledger,
      specs: this.#specs,
      clusters,
      requests: [],
      waitingSince: this.#waitingSince,
      bakes: this.#watchBakes(),
      queueUp: true,
    };
  }

  /** Healthy time since the ledger last saved it: in a simulation every workload is healthy during a bake. */
  #watchBakes(): ReadonlyMap<string, BakeWatch> {
    const baking = Object.values(this.#ledger.runs).flatMap(({ id, state, bake }) =>
      state === "open" && bake !== undefined ? [[id, { healthyMs: this.now - parseTime(bake.savedAt) }] as const] : [],
    );
    return new Map(baking);
  }

  /** Applies a transition to the ledger. */
  record(change: LedgerChange): void {
    const next = applyChange(this.#ledger, change);
    this.#ledger = { ...next, head: nameCommit("ledger", next.sequence) };
    if (next.judged === this.#head.commit) this.#points = [];
  }

  /** Merges a stage's pull request: main has its shares now. */
  merge({ after, campaign, stage }: ProposedStage): void {
    this.#merges += 1;
    const commit: CommitFacts = {
      sha: nameCommit("main", this.#merges),
      author,
      subject: `${campaign.name}: ${stage.name}`,
      at: this.now,
    };
    const spec = { ...after, commit: commit.sha };
    this.#showConcerned(this.#head, spec);
    this.#head = spec;
    this.#specs.set(commit.sha, spec);
    this.#points = [{ commit, spec }];
  }

  /** Makes all clusters show the whole fleet, as needed while no run is open. */
  showAll(): void {
    for (const cluster of this.clusters.values()) cluster.showAll();
  }

  #showConcerned(before: Spec, after: Spec): void {
    if (this.#showsAll || needsAll(after)) return;
    const [was, is] = [this.#answers ?? remember(before.resolver), remember(after.resolver)];
    this.#answers = is;
    for (const cluster of this.clusters.values()) cluster.showOnly(was, is);
  }

  /** The open run; at most one, because a campaign's stages wait for each other. */
  get openRun(): RunRecord | undefined {
    return Object.values(this.#ledger.runs).find(({ state }) => state === "open");
  }

  /** Notes since when workloads wait for their owner, as a planner does; after too long they are skipped (rules 3.1). */
  noteWaiting(snapshot: Snapshot): void {
    if (this.openRun === undefined) return;
    const before = this.#waitingSince;
    const waiting = new Map(before);
    for (const [cluster, index] of evaluateFleet(snapshot, this.#head).judged) {
      for (const { key } of index.list("waiting")) {
        const name = nameInFleet(cluster, key);
        if (!before.has(name)) waiting.set(name, this.now);
      }
    }
    if (waiting.size > before.size) this.#waitingSince = waiting;
  }

  get waitingSince(): ReadonlyMap<string, number> {
    return this.#waitingSince;
  }
}
