import type { FakeScm } from "#fakes/scm";
import { createModel, createRandom, type KubeModel } from "#fakes/kube";
import { printRequest } from "#libs/events";
import type { WorkloadRef } from "#libs/fleet";
import type { PullRequest } from "#libs/scm";
import type { VerbRequest, LedgerState, RunRecord } from "#libs/plan";

import { type ClusterRecorder, recordCluster } from "../../auditor/evidence/clusters/record-cluster.ts";
import { countScm, type WriteCounts } from "./campaign/scm.ts";
import {
  type Break,
  drawSecond,
  drawCampaign,
  editCampaign,
  printCampaign,
  type WalkCampaign,
} from "./campaign/shape.ts";
import { FleetFlow } from "../fleet-flow.ts";
import { StandstillWatch } from "../standstills/standstill-watch.ts";
import { fillCluster, pick, printShares, type Shares } from "./walk-fleet.ts";

const protection = { requiredReviews: 0, requiredChecks: ["meshroll/plan", "meshroll/approvals"] };

/** One random walk through a campaign: a fleet, people and faults. */
export class CampaignWalk {
  readonly flow = new FleetFlow();
  readonly standstills = new StandstillWatch(this.flow);
  readonly scm: FakeScm;
  readonly writes: WriteCounts = new Map();
  readonly refs = new Map<string, WorkloadRef[]>();
  readonly recorders: ClusterRecorder[] = [];
  readonly story: string[] = [];
  /** When an owner last wrote to a workload, or it was created late, by `cluster:namespace/Kind/name`. */
  readonly touched = new Map<string, number>();
  /** Every version of the campaign on main, and when it was merged; undefined: it was deleted. */
  readonly shapes: { readonly at: number; readonly shape: WalkCampaign | undefined }[] = [];
  /** Clusters that joined later, and when. */
  readonly joined = new Map<string, number>();
  /** Runs that were over and may have been opened again by a retry. */
  readonly reopened: { readonly run: string; readonly endedAt: number; readonly at: number }[] = [];
  /**
   * The error that the campaign's file on main has now, the earlier ones with their ends, and the faults found while there was
   * one.
   */
  broken: Break | undefined;
  readonly breaks: (Break & { readonly to: number })[] = [];
  readonly breakFaults: string[] = [];
  readonly fixes: (() => void)[] = [];
  readonly away = new Set<string>();
  readonly skipped = new Set<string>();
  /** Every cluster that main ever excluded. */
  readonly leftSkipped = new Set<string>();
  shape: WalkCampaign;
  /** A campaign on `pay-.*` alone, which is never edited; a change of shares by hand may touch buckets of both campaigns. */
  readonly second: WalkCampaign | undefined;
  restarts = 0;
  requests = 0;
  merges = 0;
  hasForced = false;
  hasReverts = false;
  baseline = "";
  measured = 0;
  /** A rollback was ended by hand before it was complete, so differences from main may be drift. */
  hasDrift = false;
  readonly #seed: string;
  readonly #hasPay: boolean;

  constructor(seed: string, change: Partial<WalkCampaign> = {}) {
    this.#seed = seed;
    const random = createRandom(`fleet ${seed}`);
    const names = random() < 0.4 ? ["one", "two", "three"] : ["one", "two"];
    this.#hasPay = random() < 0.4;
    const now = this.flow.clock.now();
    this.second = this.#hasPay ? drawSecond(seed, now, names) : undefined;
    const ownPay = this.#hasPay && this.second === undefined;
    this.shape = { ...drawCampaign(seed, now, names, ownPay), ...change };
    for (const name of names) this.#addCluster(name);
    this.scm = countScm(this.flow.givenGithub(protection), this.writes);
    this.flow.github = this.scm;
    this.flow.prometheus = { query: async () => ({ kind: "value", value: this.measured }) };
  }

  #addCluster(name: string): void {
    const model = createModel({ clock: this.flow.clock, seed: `${this.#seed} ${name}` });
    this.refs.set(name, [...fillCluster(model)]);
    this.flow.givenCluster(name, model);
    this.recorders.push(recordCluster(name, model));
  }

  tell(what: string): void {
    this.story.push(`${((this.flow.clock.now() % 86_400_000) / 1000).toFixed(1)} ${what}`);
  }

  #settings(): string {
    const clusters = [...this.skipped].map((name) => `  ${name}: { excluded: true }\n`).join("");
    const batch = "defaults:\n  batch: { batchSize: 2, delayBetweenBatches: 10s, readinessTimeout: 60s }\n";
    return `${batch}${clusters === "" ? "" : `clusters:\n${clusters}`}`;
  }

  /** The shares on main now, no matter which commit set them. */
  readShares(): Shares {
    return this.readSharesAt(this.flow.remote.head("main") ?? "");
  }

  readSharesAt(commit: string): Shares {
    const text = this.flow.remote.commit(commit)?.tree.get("rollouts.yml");
    const lines = (typeof text === "string" ? text : "").split("\n");
    const shares: Record<string, number> = {};
    let bucket = "";
    for (const line of lines) {
      if (/^\S.*:$/u.test(line)) bucket = line.slice(0, -1);
      const weight = /^ {2}new: (\d+)$/u.exec(line)?.[1];
      if (weight !== undefined) shares[bucket] = Number(weight);
    }
    const { production = 0, "pay-.*": pay } = shares;
    return { all: production, ...(pay === undefined ? {} : { pay }) };
  }

  mergeShares(shares: Shares): void {
    this.tell(`main by hand: ${JSON.stringify(shares)}`);
    this.merges += 1;
    this.flow.whenMerged(printShares(shares), this.#settings(), "cleo");
  }

  mergeSettings(): void {
    this.mergeShares(this.readShares());
  }

  /** Merges a valid campaign file, if main's has an error. */
  repairCampaign(): void {
    const { broken } = this;
    if (broken === undefined) return;
    this.tell("the campaign's file on main is put right");
    this.merges += 1;
    this.endBreak();
    this.flow.whenCampaignMerged(broken.repair, "cleo");
  }

  endBreak(): void {
    if (this.broken !== undefined) this.breaks.push({ ...this.broken, to: this.flow.clock.now() });
    this.broken = undefined;
  }

  /** Merges this campaign, or deletes it; both also repair an error in its file. */
  mergeCampaign(shape: WalkCampaign | undefined, files: Readonly<Record<string, string | null>> = {}): void {
    this.tell(`campaign: ${shape === undefined ? "none" : JSON.stringify(shape)}`);
    this.shapes.push({ at: this.flow.clock.now(), shape });
    if (shape !== undefined) this.shape = shape;
    const file = `campaigns/${this.shape.name}.yml`;
    this.merges += 1;
    const repair = this.broken?.repair ?? {};
    this.endBreak();
    this.flow.whenCampaignMerged({ ...repair, [file]: shape === undefined ? null : printCampaign(shape), ...files });
  }

  /** All stages that main has to reach before a walk is complete. */
  listStages(): WalkCampaign["stages"] {
    return [...this.shape.stages, ...(this.second?.stages ?? [])];
  }

  edit(a: number, b: number): void {
    this.mergeCampaign(editCampaign(this.shape, a, b));
  }

  async start(): Promise<void> {
    this.flow.whenMerged(printShares({ all: 0, ...(this.#hasPay ? { pay: 0 } : {}) }), this.#settings());
    const { second } = this;
    this.mergeCampaign(this.shape, second === undefined ? {} : { "campaigns/zpay.yml": printCampaign(second) });
    await this.flow.givenBaseline();
    this.baseline = this.flow.remote.head("main") ?? "";
    this.startExecutors();
    await this.flow.startPlanner().pass(40_000);
  }

  startExecutors(): void {
    for (const name of this.refs.keys()) if (!this.away.has(name)) this.flow.startExecutor("act", 0, [name]);
  }

  async join(name: string): Promise<void> {
    this.#addCluster(name);
    this.joined.set(name, this.flow.clock.now());
    this.flow.startExecutor("act", 0, [name]);
  }

  /** Ends all exclusions. For runs that are over the cluster counts as one that joined later. */
  takeBackIn(): void {
    for (const name of this.skipped) this.joined.set(name, this.flow.clock.now());
    this.skipped.clear();
  }

  async request(change: Pick<VerbRequest, "verb" | "scope"> & Partial<VerbRequest>): Promise<void> {
    this.requests += 1;
    // A walk that never settles would send requests each minute for ever; it fails instead.
    if (this.requests > 500) throw new Error("500 requests, and the walk does not come to its end");
    const id = `verb-${this.requests}`;
    this.tell(`ask ${id} ${JSON.stringify(change)}`);
    const at = new Date(this.flow.clock.now()).toISOString();
    const request: VerbRequest = { id, strength: "move", who: "ana", why: "looked at it", at, ...change };
    await this.flow.bucket("control").put(`request.${id}`, printRequest(request));
  }

  /** Requests a retry, which may open a run again that was over. */
  async retry({ id, endedAt }: RunRecord): Promise<void> {
    if (endedAt !== undefined) this.reopened.push({ run: id, endedAt: Date.parse(endedAt), at: this.flow.clock.now() });
    await this.request({ verb: "retry", scope: `run/${id}` });
  }

  async restartPlanner(): Promise<void> {
    await this.flow.killPlanner();
    this.restarts += 1;
    this.flow.startPlanner();
  }

  async restartExecutors(): Promise<void> {
    await this.flow.killExecutor();
    this.startExecutors();
  }

  async pickRun(at: number): Promise<RunRecord | undefined> {
    return pick(await this.flow.runs(), Math.sqrt(at));
  }

  pickRef(a: number, b: number): { readonly key: string; readonly ref: WorkloadRef; readonly model: KubeModel } {
    const cluster = pick([...this.refs.keys()], b) ?? "one";
    const ref = pick(this.refs.get(cluster) ?? [], a);
    if (ref === undefined) throw new Error("a cluster without workloads");
    return { key: `${cluster}:${ref.namespace}/${ref.kind}/${ref.name}`, ref, model: this.flow.model(cluster) };
  }

  touch(key: string): void {
    this.touched.set(key, this.flow.clock.now());
  }

  /** Open pull requests of stages. */
  async listStagePulls(): Promise<readonly PullRequest[]> {
    const open = await this.scm.as("ana").listOpenPullRequests("main");
    return open.filter(({ branch }) => branch.startsWith("meshroll/") && !branch.startsWith("meshroll/rollback/"));
  }

  /** Open pull requests of rollbacks. */
  async listRollbackPulls(): Promise<readonly PullRequest[]> {
    const open = await this.scm.as("ana").listOpenPullRequests("main");
    return open.filter(({ branch }) => branch.startsWith("meshroll/rollback/"));
  }

  /** The approvers approve and ana merges; returns why the merge was refused, undefined when it was done. */
  async mergePull(
    { number, branch }: PullRequest,
    approvers: readonly string[] = ["ben"],
  ): Promise<string | undefined> {
    const ana = this.scm.as("ana");
    const reviews = await ana.reviews(number);
    const before = await ana.findPullRequest(number);
    if (before === undefined || before.state !== "open") return "is not open";
    if (!reviews.some(({ commit }) => commit === before.headSha)) {
      for (const author of approvers) this.scm.review(number, { author, state: "approved" });
      await this.flow.pass(61_000);
    }
    const now = await ana.findPullRequest(number);
    if (now === undefined || now.state !== "open") return "is not open any more";
    const outcome = await ana.merge(number, now.headSha);
    this.tell(`merge of ${number} (${branch}): ${outcome.kind === "merged" ? outcome.sha.slice(0, 12) : outcome.kind}`);
    return outcome.kind === "merged" ? undefined : JSON.stringify(outcome);
  }

  async listStopsInForce(): Promise<readonly LedgerState["stops"][string][]> {
    return Object.values((await this.flow.ledger())?.stops ?? {}).filter((stop) => stop.resume === undefined);
  }

  /** Repairs all faults and brings all processes back; afterwards main parses and has the campaign. */
  async fix(): Promise<void> {
    this.tell("fix");
    for (const fix of this.fixes.splice(0)) fix();
    this.flow.pushesRefused = undefined;
    this.flow.remote.setUnavailable(false);
    this.scm.setUnavailable(false);
    this.measured = 0;
    this.away.clear();
    if (this.skipped.size > 0) {
      this.takeBackIn();
      this.mergeSettings();
    }
    await this.restartPlanner();
    await this.restartExecutors();
    if (this.shapes.at(-1)?.shape === undefined) this.mergeCampaign(this.shape);
    this.repairCampaign();
    await this.flow.pass(120_000);
  }
}
