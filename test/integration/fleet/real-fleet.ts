import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { createModel, type KubeModel, toModelClock, type WriteRecord } from "#fakes/kube";
import { type Bus, openBus } from "#libs/bus";
import { printRequest } from "#libs/events";
import { openRepository, type RolloutsRepository } from "#libs/git";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { type VerbRequest, type FleetStatus, type LedgerState, makeBaseline, type RunRecord } from "#libs/plan";
import { type Clock, openClock } from "#libs/runtime";
import { type Github, type GithubApp, type Protection, startGithub } from "#sandbox/github";
import { type KubeServer, startKube } from "#sandbox/kube";

import { type ServiceName, type ServiceProcess, spawnService } from "../../../sandbox/demo/world/spawn-service.ts";
import type { Evidence } from "../../auditor/evidence/evidence.ts";
import { collectEvidence } from "../../auditor/evidence/collect-evidence.ts";
import { readGit } from "../../auditor/evidence/git/read-git.ts";
import { type ClusterRecorder, recordCluster } from "../../auditor/evidence/clusters/record-cluster.ts";
import { describeWaits, waitUntil } from "./describe-waits.ts";
import type { FleetBrokers } from "./fleet-brokers.ts";
import { ana, tokens, users } from "./people.ts";
import type { FleetScm } from "./fleet-scm.ts";
import { forgetFleet } from "./forget-fleet.ts";
import { readRef } from "./read-ref.ts";
import { requireRights } from "./ending/require-rights.ts";
import { requireSignature } from "./ending/require-signature.ts";
import type { ServiceOptions } from "./service-options.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Real processes over real Redis, NATS, git and HTTP; one cluster whose time runs faster. */
export class RealFleet {
  readonly folder = mkdtempSync(join(tmpdir(), "meshroll-fleet-"));
  readonly cluster: string;
  readonly installation = testInstallation;
  readonly clock: Clock;
  readonly model: KubeModel;
  readonly services = new Map<string, ServiceProcess>();
  /**
   * How long a merge or a verb may take to reach an executor, real ms: the planner's poll, a fetch, and git's whole seconds.
   */
  graceMs = 4000;
  /** Checks and rules that a merge requires, and the installed App; set before `start`. */
  requiredChecks: readonly string[] = [];
  reviewRules: Pick<Protection, "rules" | "bypass"> = {};
  app?: GithubApp;
  /** Holds main instead of the stand-in for GitHub; set before `start`. */
  scm: FleetScm | undefined;
  readonly #startedAt = Date.now();
  readonly #factor: number;
  readonly #brokers: FleetBrokers;
  #github: Github | undefined;
  #kube: KubeServer | undefined;
  #recorder: ClusterRecorder | undefined;
  #repository: RolloutsRepository | undefined;
  #bus: Bus | undefined;
  #ledger: LedgerState | undefined;

  constructor(brokers: FleetBrokers, cluster: string, factor: number) {
    this.#brokers = brokers;
    this.#factor = factor;
    this.cluster = cluster;
    this.clock = openClock(this.#scale);
    this.model = createModel({ clock: toModelClock(this.clock), seed: cluster });
    this.model.addNamespace("meshroll-system");
  }

  /** The sandbox's clock. */
  get #scale(): string {
    return `${this.#startedAt}:${this.#factor}:${this.#startedAt}`;
  }

  /** `baseline`: recorded here, by a person's command line (which takes one more process), or later by the caller. */
  async start(files: Readonly<Record<string, string>>, baseline: "here" | "byCli" | "later" = "here"): Promise<void> {
    const clock = () => this.clock.now();
    const protection = { requiredChecks: this.requiredChecks, requiredReviews: 0, ...this.reviewRules };
    const named = { folder: this.folder, owner: "acme", repo: "rollouts", users, ...(this.app && { app: this.app }) };
    if (this.scm === undefined) this.#github = await startGithub({ ...named, protection, files, clock });
    else await this.scm.begin(files, protection);
    this.#kube = await startKube({ model: this.model, name: this.cluster, token: "token-of-the-executor" });
    writeFileSync(join(this.folder, "kubeconfig"), this.#kube.kubeconfig());
    this.#recorder = recordCluster(this.cluster, this.model);
    const [url, folder] = [this.gitUrl, join(this.folder, "clone-of-test")];
    this.#repository = await openRepository({ url, folder, credentials: { token: this.scm?.token ?? tokens.ana } });
    const { installation } = this;
    this.#bus = await openBus({ installation, url: this.#brokers.nats.url, name: "meshroll-test", patient: true });
    await forgetFleet(this.#bus);
    if (baseline === "byCli") await this.meshroll("init", "--by", "ana", "--installation", installation);
    if (baseline !== "here") return;
    const { main } = await this.#repository.fetch();
    await openLedger(this.#repository).record(makeBaseline(main, this.clock.now(), "ana", installation), undefined);
  }

  get repository(): RolloutsRepository {
    if (this.#repository === undefined) throw new Error("the fleet was not started");
    return this.#repository;
  }

  get kube(): KubeServer {
    if (this.#kube === undefined) throw new Error("the fleet was not started");
    return this.#kube;
  }

  get github(): Github {
    if (this.#github === undefined) throw new Error("the fleet was not started");
    return this.#github;
  }

  get gitUrl(): string {
    return this.scm?.gitUrl ?? this.#github?.gitUrl ?? "";
  }

  get bus(): Bus {
    if (this.#bus === undefined) throw new Error("the fleet was not started");
    return this.#bus;
  }

  /** Environment of a login for NATS and Redis, with its own rights only. */
  #logIn(login: string): Readonly<Record<string, string>> {
    const { nats, redis } = this.#brokers;
    return { MESHROLL_NATS_URL: nats.urlOf(login), MESHROLL_REDIS_URL: redis.findUrl(login) ?? "" };
  }

  /** Environment of a person with the command line. */
  get env(): Readonly<Record<string, string>> {
    return {
      ...this.#logIn("cli"),
      MESHROLL_REPO_URL: this.gitUrl,
      MESHROLL_GIT_TOKEN: this.scm?.token ?? tokens.ana,
      MESHROLL_INSTALLATION: this.installation,
      MESHROLL_GIT_POLL_SECONDS: "1",
      MESHROLL_CLUSTERS: this.cluster,
      MESHROLL_KUBECONFIG: join(this.folder, "kubeconfig"),
      MESHROLL_SANDBOX_CLOCK: this.#scale,
      XDG_CACHE_HOME: join(this.folder, "cache"),
    };
  }

  /** Runs the CLI as a person does; returns its output. Asynchronous, because this process serves what the CLI talks to. */
  async meshroll(...args: readonly string[]): Promise<string> {
    const command = ["--disable-warning=ExperimentalWarning", join(root, "cli", "main.ts"), ...args];
    const env = { ...process.env, ...this.env };
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: this.folder, env });
    return stdout;
  }

  startService(name: ServiceName, { as = name, env = {} }: ServiceOptions = {}): void {
    const clone = join(this.folder, `clone-of-${as}`);
    const own = { ...this.env, ...this.#logIn(name), MESHROLL_CLONE_DIR: clone, ...env };
    this.services.set(as, spawnService(name, name === "executor" ? ["--act"] : [], own, this.folder));
  }

  #find(name: string): ServiceProcess {
    const service = this.services.get(name);
    if (service === undefined) throw new Error(`no ${name} was started`);
    return service;
  }

  async #end(name: string, signal: "SIGKILL" | "SIGTERM"): Promise<number> {
    const service = this.#find(name);
    service.signal(signal);
    const code = await service.ended;
    this.services.delete(name);
    return code;
  }

  /** kill -9: nothing is closed or announced. */
  async kill(name: string): Promise<void> {
    await this.#end(name, "SIGKILL");
  }

  /** SIGTERM, as a rollout of our own Deployments sends it, once; resolves with the exit code. */
  async terminate(name: string): Promise<number> {
    return this.#end(name, "SIGTERM");
  }

  /** SIGSTOP: the process keeps its connections and does nothing. The returned function resumes it. */
  freeze(name: string): () => void {
    const service = this.#find(name);
    service.signal("SIGSTOP");
    return () => service.signal("SIGCONT");
  }

  /** Commits to main as a person with push rights, and rebases when the push is rejected. */
  async merge(files: Readonly<Record<string, string>>): Promise<string> {
    let why = "";
    for (let push = 0; push < 5; push += 1) {
      const { main } = await this.repository.fetch();
      const draft = { branch: "main", onto: main, files, message: "change", author: ana };
      const pushed = await this.repository.commitAndPush(draft);
      if (pushed.kind !== "rejected") return pushed.sha;
      why = pushed.why;
    }
    throw new Error(why);
  }

  /** Places a person's verb as the CLI does; returns its id. */
  async request(change: Pick<VerbRequest, "verb" | "scope"> & Partial<VerbRequest>): Promise<string> {
    const id = `verb-${Math.round(performance.now() * 1000)}`;
    const at = new Date(this.clock.now()).toISOString();
    const request: VerbRequest = { id, strength: "move", who: "ana", why: "looked at it", at, ...change };
    await this.bus.bucket("control").put(`request.${id}`, printRequest(request));
    return id;
  }

  async status(): Promise<FleetStatus | undefined> {
    const entry = await this.bus.bucket("status").get("fleet");
    return entry?.value === undefined ? undefined : (JSON.parse(entry.value) as FleetStatus);
  }

  /** The bare repository that all git clients talk to. */
  get gitFolder(): string {
    return this.scm?.gitFolder ?? join(this.folder, "acme", "rollouts.git");
  }

  /** The newest ledger; read from git only when its branch has changed. */
  async ledger(): Promise<LedgerState> {
    const head = readRef(this.gitFolder, "refs/heads/meshroll/ledger");
    if (this.#ledger === undefined || this.#ledger.head !== head) {
      const heads = await this.repository.fetch();
      if (heads.ledger === undefined) throw new Error("there is no ledger");
      this.#ledger = await openLedger(this.repository).load(heads.ledger);
    }
    return this.#ledger;
  }

  async runs(): Promise<readonly RunRecord[]> {
    const { runs } = await this.ledger();
    return Object.values(runs).toSorted((a, b) => a.order - b.order);
  }

  /** Our successful writes to workloads, except those that only record an arrival. */
  get writes(): readonly WriteRecord[] {
    return this.model.writes.filter(
      ({ path, status, fieldManager }) =>
        path.includes("/deployments/") && status < 300 && fieldManager !== "meshroll-record",
    );
  }

  /** True when the executor has written a stop into its cluster. */
  hasRecordedStop(): boolean {
    return this.model.writes.some(({ status, path }) => status < 300 && path.includes("/meshroll-system/configmaps"));
  }

  /** Polls until the condition holds. */
  async until(what: string, isTrue: () => Promise<boolean> | boolean, limitMs = 90_000, everyMs = 25): Promise<void> {
    await waitUntil({ what, isTrue, limitMs, everyMs, describe: async () => describeWaits(this.#bus) });
  }

  /** Waits until this many runs have ended, and returns the newest one. */
  async untilRunEnds(count = 1, limitMs = 120_000): Promise<RunRecord> {
    let ended: readonly RunRecord[] = [];
    const haveEnded = async () => {
      ended = (await this.runs()).filter(({ state }) => state !== "open");
      return ended.length >= count;
    };
    await this.until(`${count} runs ended`, haveEnded, limitMs);
    const last = ended.at(-1);
    if (last === undefined) throw new Error("there is no run");
    return last;
  }

  /** What the outside systems recorded, for the auditor. */
  collectEvidence(): Evidence {
    const cluster = this.#recorder?.take();
    const toCluster = (ms: number): number => this.#startedAt + (ms - this.#startedAt) * this.#factor;
    const repository = readGit(this.gitFolder, this.scm?.listPushes(toCluster) ?? this.#github?.pushes ?? []);
    const evidence = collectEvidence(repository, cluster === undefined ? [] : [cluster], this.graceMs * this.#factor);
    return { ...evidence, ...(this.#github && { approvals: this.#github.approvals() }) };
  }

  /** Ends all processes and servers; their files stay in `folder`. */
  async close(): Promise<void> {
    for (const service of this.services.values()) service.signal("SIGCONT");
    await Promise.all([...this.services.values()].map(async (service) => service.stop()));
    this.services.clear();
    await this.#bus?.close();
    this.#recorder?.stop();
    await Promise.all([this.#github?.close(), this.#kube?.close()]);
  }

  /** Ends everything; the auditor judges what the API server and git recorded. */
  async end(): Promise<void> {
    await this.close();
    requireSignature(this.collectEvidence(), this.folder);
    requireRights(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
