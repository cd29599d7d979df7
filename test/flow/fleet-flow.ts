import { createFakeBusServer, type FakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote, type FakeRemote, openFakeRepository } from "#fakes/git";
import { createFakeScm, type FakeScm, type FakeProtection } from "#fakes/scm";
import { fakeCluster, type KubeModel } from "#fakes/kube";
import { createFakeQueueServer, type FakeQueueServer, openFakeQueue, serveFakeBatches } from "#fakes/queue";
import { createVirtualClock, type VirtualClock } from "#fakes/runtime";
import type { KeyValue } from "#libs/bus";
import { type BatchJob, printRequest } from "#libs/events";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import type { Prometheus } from "#libs/prometheus";
import { compileSpec, makeBaseline } from "#libs/plan";
import type { FleetStatus, LedgerState, RunRecord, VerbRequest } from "#libs/plan";
import type { Clock } from "#libs/runtime";
import { expect } from "vitest";

import { runExecutor } from "../../services/executor/service.ts";
import { runPlanner } from "../../services/planner/service.ts";
import { audit, describeViolations } from "../auditor/audit.ts";
import { type ClusterRecorder, recordCluster } from "../auditor/evidence/clusters/record-cluster.ts";
import { makeEvidence } from "./flow-evidence.ts";
import { openFlowVms } from "./parts/open-flow-vms.ts";
import { Faults } from "./parts/faults.ts";
import { HangingGit } from "./parts/hanging-git.ts";
import { LaggingGit } from "./parts/lagging-git.ts";
import { linkTo, watchMerges } from "./parts/link-to-github.ts";
import { makeMortalParts } from "./parts/mortal-parts.ts";
import { endAtOnce, type Running } from "./parts/running.ts";
import { createSilentLogger } from "./parts/silent-logger.ts";

/**
 * Planner and executor in one process on a virtual clock, over the fakes that pass the adapters' conformance suites. Method
 * names start with given, when or until. The auditor judges every flow when it ends.
 */
export class FleetFlow {
  readonly clock: VirtualClock = createVirtualClock();
  readonly remote: FakeRemote = createFakeRemote({ now: () => this.clock.now() });
  readonly bus: FakeBusServer = createFakeBusServer();
  readonly queue: FakeQueueServer = createFakeQueueServer(this.clock);
  readonly git = new LaggingGit();
  /** The git server, which can hang for the planner, the executors, or both. */
  readonly server = new HangingGit();
  readonly faults = new Faults();
  /** Errors that planner and executor logged. */
  readonly errors: string[] = [];
  readonly #models = new Map<string, KubeModel>();
  readonly #recorders = new Map<string, ClusterRecorder>();
  /** Every version of main's files, by hand or by a merge, oldest first. */
  readonly #merged: { readonly rollouts: string; readonly settings: string | undefined }[] = [];
  readonly #planners: Running[] = [];
  readonly #executors: Running[] = [];
  /** The test's own reader of the ledger; like each process it reads every commit once. */
  readonly #reader = openFakeRepository(this.remote);
  readonly #reading = openLedger(this.#reader);

  /** A cluster that our executor has served before. */
  givenCluster(name: string, model: KubeModel): this {
    model.setConfigMap("meshroll-system", "meshroll-installation", { id: testInstallation });
    this.#models.set(name, model);
    return this;
  }

  /** Merges files to main; returns the commit. */
  whenMerged(rollouts: string, settings?: string, author = "ana"): string {
    const files = { "rollouts.yml": rollouts, ...(settings === undefined ? {} : { "meshroll.yml": settings }) };
    const sha = this.remote.commitToMain({ files, message: "change rollouts.yml", author, at: this.clock.now() });
    this.#merged.push({ rollouts, settings: settings ?? this.#merged.at(-1)?.settings });
    return sha;
  }

  /** Merges files below `campaigns/` (null deletes) and leaves `rollouts.yml` as it is; returns the commit. */
  whenCampaignMerged(files: Readonly<Record<string, string | null>>, author = "ana"): string {
    return this.remote.commitToMain({ files, message: "change campaigns", author, at: this.clock.now() });
  }

  async givenBaseline(): Promise<this> {
    const repository = openFakeRepository(this.remote);
    const { main } = await repository.fetch();
    const entry = makeBaseline(main, this.clock.now(), "ana", testInstallation);
    await openLedger(repository).record(entry, undefined);
    return this;
  }

  /** Adds pull requests to main, whose merges the auditor sees too. Planners that start later follow them. */
  givenGithub(protection: FakeProtection): FakeScm {
    const remote = watchMerges(this.remote, this.clock, (text) =>
      this.#merged.push({ rollouts: text, settings: this.#merged.at(-1)?.settings }),
    );
    this.github = createFakeScm({ remote, protection, now: () => this.clock.now() });
    return this.github;
  }

  github: FakeScm | undefined;

  /** The Prometheus of planners that start later. */
  prometheus: Prometheus | undefined;
  /** Executors that start later follow VMs: by the self-hosted adapter, over this bus. */
  hasVms = false;
  /** Why the git server refuses every push; undefined: it takes them. */
  pushesRefused: string | undefined;

  /** Starts one more planner, perhaps with a wrong clock. */
  startPlanner(clock: Clock = this.clock): this {
    const stop = new AbortController();
    let isDead = false;
    const mortal = <T extends object>(part: T): T => makeMortalParts(this.faults.wrap(part), () => isDead);
    const link = this.github === undefined ? undefined : linkTo(this.remote, this.github);
    const parts = {
      installation: testInstallation,
      holder: { place: `planner-${this.#planners.length + 1}`, id: String(this.clock.now()) },
      repository: mortal(this.server.open("planner", this.remote, this.clock, () => this.pushesRefused)),
      bus: mortal(openFakeBus(this.bus)),
      queue: mortal(openFakeQueue<BatchJob>(this.queue)),
      clock,
      log: makeMortalParts(createSilentLogger(this.errors), () => isDead),
      gitPollMs: 10_000,
      ...(link === undefined ? {} : { link: { ...link, scm: mortal(link.scm) } }),
      ...(this.prometheus === undefined ? {} : { prometheus: mortal(this.prometheus) }),
    };
    this.#planners.push({ stop, done: runPlanner(parts, stop.signal), kill: () => void (isDead = true) });
    return this;
  }

  /** Starts one more executor, of all clusters unless some are named. `lagMs`: the delay of its watches. */
  startExecutor(
    mode: "observe" | "act" = "act",
    lagMs = 0,
    clusters = [...this.#models.keys()],
    clock: Clock = this.clock,
  ): this {
    const stop = new AbortController();
    let isDead = false;
    const mortal = <T extends object>(part: T): T => makeMortalParts(this.faults.wrap(part), () => isDead);
    for (const name of clusters)
      if (!this.#recorders.has(name)) this.#recorders.set(name, recordCluster(name, this.model(name)));
    const options = { lagMs, monotonic: () => clock.monotonic() };
    const parts = {
      installation: testInstallation,
      repository: mortal(this.git.over(this.server.open("executor", this.remote, this.clock), this.clock)),
      clusters: clusters.map((name) => mortal(fakeCluster(this.model(name), name, options))),
      mode,
      bus: mortal(openFakeBus(this.bus)),
      serve: serveFakeBatches<BatchJob>(this.queue),
      ...(this.hasVms ? { openVms: openFlowVms(this.bus, clock) } : {}),
      clock,
      log: makeMortalParts(createSilentLogger(this.errors), () => isDead),
    };
    this.#executors.push({ stop, clusters, done: runExecutor(parts, stop.signal), kill: () => void (isDead = true) });
    return this;
  }

  /** Asks the executors of a cluster to end, as SIGTERM does; resolves with the ms until the last one has ended. */
  async stopExecutor(cluster: string): Promise<number> {
    const asked = this.clock.now();
    const ending = this.#executors.filter(({ clusters }) => clusters?.includes(cluster));
    let ended = 0;
    for (const each of ending) {
      this.#executors.splice(this.#executors.indexOf(each), 1);
      void each.done.then(() => ended++);
      each.stop.abort();
    }
    await this.until(`the executors of ${cluster} ended`, () => ended === ending.length, 60_000);
    return this.clock.now() - asked;
  }

  /** Asks all planners to end, as SIGTERM does; resolves with the ms until the last one has ended. */
  async stopPlanner(): Promise<number> {
    const asked = this.clock.now();
    const ending = this.#planners.splice(0);
    let ended = 0;
    for (const { stop, done } of ending) {
      void done.then(() => ended++);
      stop.abort();
    }
    await this.until("the planners ended", () => ended === ending.length, 60_000);
    return this.clock.now() - asked;
  }

  /** Kills all planners, or only the oldest ones, as `kill -9` does. */
  async killPlanner(most = Infinity): Promise<void> {
    this.dropPlanner(most);
    await this.clock.advance(0);
  }

  /** Like `killPlanner`, but can be called while time passes. */
  dropPlanner(most = Infinity): void {
    for (const each of this.#planners.splice(0, most)) endAtOnce(each);
  }

  /** Kills all executors, as `kill -9` does. */
  async killExecutor(): Promise<void> {
    this.dropExecutor();
    await this.clock.advance(0);
  }

  /** Like `killExecutor`, but can be called while time passes. */
  dropExecutor(): void {
    for (const each of this.#executors.splice(0)) endAtOnce(each);
    for (const name of this.#models.keys()) this.queue.kill(name);
  }

  /** Puts a person's request on the bus, as the CLI does. */
  async whenAsked(change: Pick<VerbRequest, "verb" | "scope"> & Partial<VerbRequest>): Promise<void> {
    const id = `verb-${this.clock.now()}`;
    const at = new Date(this.clock.now()).toISOString();
    const request: VerbRequest = { id, strength: "move", who: "ana", why: "looked at it", at, ...change };
    await openFakeBus(this.bus).bucket("control").put(`request.${request.id}`, printRequest(request));
  }

  async pass(ms: number): Promise<this> {
    await this.clock.advance(ms);
    return this;
  }

  /** Advances the time until the condition holds; at the limit it fails with the flow's status. */
  async until(what: string, isTrue: () => Promise<boolean> | boolean, limitMs = 3_600_000): Promise<void> {
    const end = this.clock.now() + limitMs;
    while (!(await isTrue())) {
      if (this.clock.now() >= end)
        throw new Error(
          `never: ${what}\n${this.errors.slice(0, 3).join("\n")}\n${JSON.stringify(await this.status(), undefined, 1)}`,
        );
      await this.clock.advance(1000);
    }
  }

  async status(): Promise<FleetStatus | undefined> {
    const text = (await this.bucket("status").get("fleet"))?.value;
    return text === undefined ? undefined : (JSON.parse(text) as FleetStatus);
  }

  /** State of the job in a cluster's queue. */
  async job(cluster = "one"): Promise<string | undefined> {
    return (await openFakeQueue<BatchJob>(this.queue).inspect(cluster))?.state;
  }

  /** A bucket of the bus, as every process sees it. */
  bucket(name: "control" | "status" | "inventory" | "vms"): KeyValue {
    return openFakeBus(this.bus).bucket(name);
  }

  /** The ledger as every process reads it, with its whole archive; undefined before the baseline. */
  async ledger(): Promise<LedgerState | undefined> {
    const heads = await this.#reader.fetch();
    if (heads.ledger === undefined) return undefined;
    const live = await this.#reading.load(heads.ledger);
    return this.#reading.recall(live, Object.keys(live.runs));
  }

  async runs(): Promise<readonly RunRecord[]> {
    return Object.values((await this.ledger())?.runs ?? {}).toSorted((a, b) => a.order - b.order);
  }

  async untilRunsEnd(count: number): Promise<readonly RunRecord[]> {
    const countEnded = async () => (await this.runs()).filter(({ state }) => state !== "open").length;
    await this.until(`${count} runs ended`, async () => (await countEnded()) >= count);
    return this.runs();
  }

  /** The revision that the newest merged file gives a namespace. */
  revisionOf(namespace: string): string {
    const newest = this.#merged.at(-1);
    const compiled = compileSpec("head", newest?.rollouts, newest?.settings);
    if (!compiled.ok) throw new Error("the merged file does not parse");
    return compiled.spec.resolver.resolve(namespace).revision;
  }

  /**
   * Ends all processes and has the auditor judge what the API servers recorded. It must find the breaches
   * that the test caused itself (`planted`), and no others.
   */
  async end(planted: readonly RegExp[] = []): Promise<void> {
    for (const { stop } of [...this.#planners, ...this.#executors]) stop.abort();
    await this.clock.advance(5000);
    for (const [name, model] of this.#models)
      if (!this.#recorders.has(name)) this.#recorders.set(name, recordCluster(name, model));
    const clusters = [...this.#recorders.values()].map((recorder) => recorder.take());
    for (const recorder of this.#recorders.values()) recorder.stop();
    const evidence = makeEvidence(this.remote, clusters, this.github);
    const lines = describeViolations(audit(evidence).violations);
    expect(lines.filter((line) => !planted.some((breach) => breach.test(line)))).toEqual([]);
    expect(planted.filter((breach) => !lines.some((line) => breach.test(line)))).toEqual([]);
  }

  model(name: string): KubeModel {
    const model = this.#models.get(name);
    if (model === undefined) throw new Error(`no cluster ${name}`);
    return model;
  }
}
