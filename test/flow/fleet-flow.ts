import { createFakeBusServer, type FakeBusServer, openFakeBus } from "#fakes/bus";
import { createFakeRemote, type FakeRemote, openFakeRepository } from "#fakes/git";
import { fakeCluster, type KubeModel } from "#fakes/kube";
import { createFakeQueueServer, type FakeQueueServer, openFakeQueue, serveFakeBatches } from "#fakes/queue";
import { createVirtualClock, type VirtualClock } from "#fakes/runtime";
import type { KeyValue } from "#libs/bus";
import { type BatchJob, printAsk } from "#libs/events";
import { openLedger } from "#libs/ledger";
import { type Ask, compileSpec, type FleetStatus, makeBaseline, type RunRecord } from "#libs/plan";
import { expect } from "vitest";

import { runExecutor } from "../../services/executor/service.ts";
import { runPlanner } from "../../services/planner/service.ts";
import { audit, describeViolations } from "../auditor/audit.ts";
import { type ClusterRecorder, recordCluster } from "../auditor/record-cluster.ts";
import type { AuditedCommit } from "../auditor/evidence.ts";
import { createSilentLogger } from "./silent-logger.ts";

/** A process that runs in the test's own: it can be killed and started again. */
interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * Planner and executor in one process on a virtual clock, over the fakes that pass the adapters' conformance suites.
 * Reads as given, when, then; the auditor judges every flow when it ends.
 */
export class FleetFlow {
  readonly clock: VirtualClock = createVirtualClock();
  readonly remote: FakeRemote = createFakeRemote();
  readonly bus: FakeBusServer = createFakeBusServer();
  readonly queue: FakeQueueServer = createFakeQueueServer(this.clock);
  /** What planner and executor logged as an error. */
  readonly errors: string[] = [];
  readonly #models = new Map<string, KubeModel>();
  readonly #recorders: ClusterRecorder[] = [];
  readonly #commits: AuditedCommit[] = [];
  readonly #planners: Running[] = [];
  readonly #executors: Running[] = [];

  givenCluster(name: string, model: KubeModel): this {
    this.#models.set(name, model);
    return this;
  }

  /** Merges files to main; the answer is the commit. */
  whenMerged(rollouts: string, settings?: string, author = "ana"): string {
    const files =
      settings === undefined ? { "rollouts.yml": rollouts } : { "rollouts.yml": rollouts, "meshroll.yml": settings };
    const at = this.clock.now();
    const sha = this.remote.commitToMain({ files, message: "change rollouts.yml", author, at });
    const previous = this.#commits.at(-1)?.settings;
    this.#commits.push({
      sha,
      at: this.#commits.length === 0 ? 0 : at,
      author,
      rollouts,
      settings: settings ?? previous,
    });
    return sha;
  }

  async givenBaseline(): Promise<this> {
    const repository = openFakeRepository(this.remote);
    const { main } = await repository.fetch();
    await openLedger(repository).record(makeBaseline(main, this.clock.now(), "ana"), undefined);
    return this;
  }

  startPlanner(): this {
    const stop = new AbortController();
    const parts = {
      repository: openFakeRepository(this.remote),
      bus: openFakeBus(this.bus),
      queue: openFakeQueue<BatchJob>(this.queue),
      clock: this.clock,
      log: createSilentLogger(this.errors),
      gitPollMs: 10_000,
    };
    this.#planners.push({ stop, done: runPlanner(parts, stop.signal) });
    return this;
  }

  /** One more executor of all clusters; `lagMs`: so late do its watches tell what happened. */
  startExecutor(mode: "observe" | "act" = "act", lagMs = 0): this {
    const stop = new AbortController();
    if (this.#recorders.length === 0) {
      for (const [name, model] of this.#models) this.#recorders.push(recordCluster(name, model));
    }
    const parts = {
      repository: openFakeRepository(this.remote),
      clusters: [...this.#models].map(([name, model]) =>
        fakeCluster(model, name, { lagMs, monotonic: () => this.clock.monotonic() }),
      ),
      mode,
      bus: openFakeBus(this.bus),
      serve: serveFakeBatches<BatchJob>(this.queue),
      clock: this.clock,
      log: createSilentLogger(this.errors),
    };
    this.#executors.push({ stop, done: runExecutor(parts, stop.signal) });
    return this;
  }

  /** Kills all planners there are. */
  async killPlanner(): Promise<void> {
    for (const { stop } of this.#planners.splice(0)) stop.abort();
    await this.clock.advance(0);
  }

  /** Kills all executors there are. */
  async killExecutor(): Promise<void> {
    for (const name of this.#models.keys()) this.queue.kill(name);
    for (const { stop } of this.#executors.splice(0)) stop.abort();
    await this.clock.advance(0);
  }

  /** A person's verb, placed as the CLI places it. */
  async whenAsked(change: Pick<Ask, "verb" | "scope">): Promise<void> {
    const id = `verb-${this.clock.now()}`;
    const at = new Date(this.clock.now()).toISOString();
    const ask: Ask = { id, strength: "move", who: "ana", why: "looked at it", at, ...change };
    await openFakeBus(this.bus).bucket("control").put(`ask.${id}`, printAsk(ask));
  }

  async pass(ms: number): Promise<this> {
    await this.clock.advance(ms);
    return this;
  }

  /** Lets time pass until the condition holds; a flow that never gets there fails with its status. */
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
    const entry = await openFakeBus(this.bus).bucket("status").get("fleet");
    return entry?.value === undefined ? undefined : (JSON.parse(entry.value) as FleetStatus);
  }

  /** State of the job in a cluster's queue. */
  async job(cluster = "one"): Promise<string | undefined> {
    return (await openFakeQueue<BatchJob>(this.queue).look(cluster))?.state;
  }

  /** A bucket of the bus, as anybody sees it. */
  bucket(name: "control" | "status" | "inventory"): KeyValue {
    return openFakeBus(this.bus).bucket(name);
  }

  async runs(): Promise<readonly RunRecord[]> {
    const repository = openFakeRepository(this.remote);
    const heads = await repository.fetch();
    if (heads.ledger === undefined) return [];
    return Object.values((await openLedger(repository).load(heads.ledger)).runs).toSorted((a, b) => a.order - b.order);
  }

  async untilRunsEnd(count: number): Promise<readonly RunRecord[]> {
    await this.until(
      `${count} runs ended`,
      async () => (await this.runs()).filter((run) => run.state !== "open").length >= count,
    );
    return this.runs();
  }

  /** What each namespace should run by the newest merged file. */
  revisionOf(namespace: string): string {
    const newest = this.#commits.at(-1);
    const compiled = compileSpec("head", newest?.rollouts, newest?.settings);
    if (!compiled.ok) throw new Error("the merged file does not parse");
    return compiled.spec.resolver.resolve(namespace).revision;
  }

  /**
   * Ends everything and has the auditor judge what the API servers recorded. It must find exactly the breaches that the
   * flow planted itself, by one line each.
   */
  async end(planted: readonly RegExp[] = []): Promise<void> {
    for (const { stop } of [...this.#planners, ...this.#executors]) stop.abort();
    await this.clock.advance(5000);
    const ledgerRuns = (await this.runs()).map((run) => run.id);
    const clusters = this.#recorders.map((recorder) => recorder.take());
    for (const recorder of this.#recorders) recorder.stop();
    const found = describeViolations(audit({ main: this.#commits, clusters, ledgerRuns }));
    const lines = found.split("\n").filter((line) => line !== "");
    expect(lines.filter((line) => !planted.some((breach) => breach.test(line)))).toEqual([]);
    expect(planted.filter((breach) => !lines.some((line) => breach.test(line)))).toEqual([]);
  }

  model(name: string): KubeModel {
    const model = this.#models.get(name);
    if (model === undefined) throw new Error(`no cluster ${name}`);
    return model;
  }
}
