import { createModel, createRandom, type KubeModel } from "#fakes/kube";
import { printRequest } from "#libs/events";
import type { WorkloadRef } from "#libs/fleet";
import type { VerbRequest, LedgerState, RunRecord, StopRecord } from "#libs/plan";

import { FleetFlow } from "../fleet-flow.ts";
import type { Step } from "./random-steps.ts";
import { settingsOf } from "../shop.ts";
import { StandstillWatch } from "../standstills/standstill-watch.ts";
import { fillCluster, percents, pick, printShares, type Shares } from "./walk-fleet.ts";

export function isOpen(run: RunRecord): boolean {
  return run.state === "open";
}

export function listStopsInForce(ledger: LedgerState | undefined): readonly StopRecord[] {
  return Object.values(ledger?.stops ?? {}).filter((stop) => stop.resume === undefined);
}

/** One random walk: a fleet of one or two clusters, people and faults. */
export class RandomWalk {
  readonly flow = new FleetFlow();
  readonly standstills = new StandstillWatch(this.flow);
  readonly refs = new Map<string, readonly WorkloadRef[]>();
  /** Workloads whose label an owner wrote, or that were created again: their revision is the owner's decision. */
  readonly touched = new Set<string>();
  /** Those of `touched` that were created again. */
  readonly recreated = new Set<string>();
  /** What happened, printed when the walk fails. */
  readonly story: string[] = [];
  /** A rollback was ended by hand, or a retry of an old run was requested: differences from main may be drift. */
  hasDrift = false;
  /** A person requested `rollback --now`. */
  hasReverts = false;
  /** The second bucket was added or removed: head may put a namespace into another bucket than its run's. */
  hasSplit = false;
  readonly #texts: string[] = [];
  #shares: Shares = { all: 0 };
  readonly #fixes: (() => void)[] = [];
  #requests = 0;
  readonly #settings: string;
  readonly #perCluster: boolean;

  constructor(seed: string) {
    const random = createRandom(`shape ${seed}`);
    // Must stay the first draws from this generator, so that each kept seed has the same fleet.
    const names = random() < 0.5 ? ["one"] : ["one", "two"];
    const policy = random() < 0.3 ? ", failurePolicy: ContinueOnError" : "";
    const size = random() < 0.3 ? 1 : 2;
    this.#perCluster = random() < 0.3;
    if (random() < 0.25) this.flow.givenGithub({ requiredReviews: 0, requiredChecks: ["meshroll/plan"] });
    this.#settings = settingsOf(`batchSize: ${size}, readinessTimeout: 60s${policy}`);
    for (const name of names) {
      const model = createModel({ clock: this.flow.clock, seed: `${seed} ${name}` });
      this.refs.set(name, fillCluster(model));
      this.flow.givenCluster(name, model);
    }
  }

  async start(): Promise<void> {
    this.merge(printShares(this.#shares));
    await this.flow.givenBaseline();
    this.startExecutors();
    await this.flow.startPlanner().pass(30_000);
  }

  startExecutors(): void {
    if (!this.#perCluster) this.flow.startExecutor();
    else for (const name of this.refs.keys()) this.flow.startExecutor("act", 0, [name]);
  }

  #tell(what: string): void {
    this.story.push(`${(this.flow.clock.now() / 1000).toFixed(1)} ${what}`);
  }

  /** Merges this text as `rollouts.yml`. */
  merge(text: string): void {
    if (text.includes("pay-")) this.hasSplit = true;
    this.#texts.push(text);
    const sha = this.flow.whenMerged(text, this.#settings);
    this.#tell(`merged ${sha.slice(0, 12)} ${JSON.stringify(text)}`);
  }

  #mergeShares(shares: Shares): void {
    this.#shares = shares;
    this.merge(printShares(shares));
  }

  async request(change: Pick<VerbRequest, "verb" | "scope"> & Partial<VerbRequest>): Promise<string> {
    this.#requests += 1;
    const id = `verb-${this.#requests}`;
    this.#tell(`ask ${id} ${JSON.stringify(change)}`);
    const at = new Date(this.flow.clock.now()).toISOString();
    const request: VerbRequest = { id, strength: "move", who: "ana", why: "looked at it", at, ...change };
    // Each under its own key, because several requests may be placed at the same time.
    await this.flow.bucket("control").put(`request.${id}`, printRequest(request));
    return id;
  }

  async #pickRun(at: number): Promise<RunRecord | undefined> {
    const runs = await this.flow.runs();
    // Newer runs are drawn more often.
    return pick(runs, Math.sqrt(at));
  }

  #pickRef(a: number, b: number): { readonly cluster: string; readonly ref: WorkloadRef; readonly model: KubeModel } {
    const cluster = pick([...this.refs.keys()], b) ?? "one";
    const ref = pick(this.refs.get(cluster) ?? [], a);
    if (ref === undefined) throw new Error("a fleet without workloads");
    return { cluster, ref, model: this.flow.model(cluster) };
  }

  async #resume({ a, b }: Step): Promise<void> {
    const stop = pick(listStopsInForce(await this.flow.ledger()), a);
    if (stop === undefined) await this.request({ verb: "resume", scope: "all" });
    else {
      if (stop.cause === "rollback") this.hasDrift = true;
      await this.request({ verb: "resume", scope: stop.scope, ...(b < 0.7 ? { stops: [stop.id] } : {}) });
      if (
        b >= 0.7 &&
        listStopsInForce(await this.flow.ledger()).some(
          (each) => each.scope === stop.scope && each.cause === "rollback",
        )
      )
        this.hasDrift = true;
    }
  }

  async #stop({ a, b }: Step): Promise<void> {
    const run = await this.#pickRun(b);
    const scopes: readonly VerbRequest["scope"][] = [
      "all",
      "cluster/one",
      "bucket/production",
      "bucket/pay-.*",
      "namespace/shop-a",
      ...(run === undefined ? [] : [`run/${run.id}` as const]),
    ];
    await this.request({ verb: "stop", scope: pick(scopes, a) ?? "all", strength: b < 0.2 ? "propose" : "move" });
  }

  async #rollBack({ a }: Step, now: boolean): Promise<void> {
    const run = await this.#pickRun(a);
    if (now) this.hasReverts = true;
    await this.request({ verb: "rollback", scope: `run/${run?.id ?? "0123456789ab"}`, ...(now ? { now } : {}) });
  }

  #fault({ a, b }: Step): void {
    const { faults } = this.#pickRef(0, b).model;
    const model = this.#pickRef(0, b).model;
    pick(
      [
        () => faults.unavailableFor(90_000),
        () => faults.unavailableFor(5000),
        () => faults.conflictNext(2),
        () => faults.loseAnswers(1),
        () => faults.throttleNext(3, 2),
        () => model.compactHistory(),
      ],
      a,
    )?.();
  }

  #recreate({ a, b }: Step): void {
    const { cluster, ref, model } = this.#pickRef(a, b);
    if (ref.kind !== "Deployment" || ref.namespace === "unit-u") return;
    this.touched.add(`${cluster}:${ref.namespace}/${ref.kind}/${ref.name}`);
    this.recreated.add(`${cluster}:${ref.namespace}/${ref.kind}/${ref.name}`);
    model.deleteWorkload(ref);
    model.addDeployment({
      ns: ref.namespace,
      name: ref.name,
      replicas: 2,
      labels: { "istio.io/rev": "old" },
      readyMs: 5000,
    });
  }

  async #restartPlanner(): Promise<void> {
    await this.flow.killPlanner();
    this.flow.startPlanner();
  }

  async #restartExecutors(): Promise<void> {
    await this.flow.killExecutor();
    this.startExecutors();
  }

  #writeBack({ a, b }: Step): void {
    const { cluster, ref, model } = this.#pickRef(a, b);
    this.touched.add(`${cluster}:${ref.namespace}/${ref.kind}/${ref.name}`);
    if (ref.namespace === "unit-u") return;
    // After a `rollback --now` an owner may still want the new revision.
    const isBack = this.hasReverts && model.templateOf(ref).labels["istio.io/rev"] === "old";
    model.ownerApply(ref, { templateLabels: { "istio.io/rev": isBack ? "new" : "old" } }, { manager: "helm" });
  }

  async take(step: Step): Promise<void> {
    const { name, a, b } = step;
    this.#tell(name);
    const actions: Readonly<Record<Step["name"], () => void | Promise<void>>> = {
      mergePercent: () => this.#mergeShares({ ...this.#shares, all: pick(percents, a) ?? 0 }),
      mergeBack: () =>
        this.merge(
          pick(
            this.#texts.filter((text) => !text.includes("[")),
            a,
          ) ?? "",
        ),
      mergeSecondBucket: () => {
        const { pay: _, ...rest } = this.#shares;
        this.#mergeShares(b < 0.2 ? rest : { ...this.#shares, pay: pick(percents, a) ?? 0 });
      },
      mergeComment: () => this.#mergeShares({ ...this.#shares, note: Math.floor(a * 1000) }),
      mergeUnparsable: () => this.merge(`production: [ # ${Math.floor(a * 1000)}\n`),
      stop: () => this.#stop(step),
      resume: () => this.#resume(step),
      retry: async () => {
        const run = await this.#pickRun(a);
        if (run !== undefined) await this.request({ verb: "retry", scope: `run/${run.id}` });
      },
      rollback: () => this.#rollBack(step, false),
      rollbackNow: () => this.#rollBack(step, true),
      killPlanner: () => this.#restartPlanner(),
      killExecutor: () => this.#restartExecutors(),
      secondPlanner: () => void this.flow.startPlanner(),
      wipeBus: () => this.flow.bus.wipe(),
      flushQueue: () => this.flow.queue.flush(),
      wipeBoth: () => {
        this.flow.bus.wipe();
        this.flow.queue.flush();
      },
      refusePushes: () => void (this.flow.pushesRefused = "the server is read-only"),
      takePushes: () => void (this.flow.pushesRefused = undefined),
      breakWorkload: () => {
        const { ref, model } = this.#pickRef(a, b);
        const whenRevision = b < 0.75 ? "new" : "old";
        this.#tell(`broken ${ref.namespace}/${ref.name} on ${whenRevision}`);
        this.#fixes.push(model.breakWorkload(ref, { how: a < 0.5 ? "neverReady" : "crash", whenRevision }));
      },
      fixWorkloads: () => {
        for (const fix of this.#fixes.splice(0)) fix();
      },
      faultOfApi: () => this.#fault(step),
      kubectlStop: () => this.flow.model("one").setConfigMap("meshroll-system", "meshroll-stop", {}),
      kubectlResume: () => this.#resumeKubectl(),
      ownerDeploys: () => {
        const { ref, model } = this.#pickRef(a, b);
        this.#tell(`owner deploys ${ref.namespace}/${ref.name}`);
        model.ownerApply(ref, { templateAnnotations: { deployed: String(a) } });
      },
      ownerWritesBack: () => this.#writeBack(step),
      recreate: () => this.#recreate(step),
      pass: () => undefined,
    };
    await actions[name]();
    await this.flow.pass(step.ms);
    await this.standstills.check();
  }

  #resumeKubectl(): void {
    try {
      this.flow.model("one").deleteConfigMap("meshroll-system", "meshroll-stop");
    } catch {
      // There was no such ConfigMap.
    }
  }

  /** Repairs all faults and brings all processes back; afterwards main parses. */
  async fix(): Promise<void> {
    this.#tell("fix");
    this.flow.pushesRefused = undefined;
    for (const fix of this.#fixes.splice(0)) fix();
    this.#resumeKubectl();
    await this.#restartPlanner();
    await this.#restartExecutors();
    if (this.#texts.at(-1)?.includes("[") === true) this.merge(printShares(this.#shares));
    await this.flow.pass(150_000);
  }
}
