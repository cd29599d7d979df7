import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

import { createModel, type KubeModel, toModelClock } from "#fakes/kube";
import { openBus } from "#libs/bus";
import { openRepository, type RolloutsRepository } from "#libs/git";
import { openLedger } from "#libs/ledger";
import type { RunRecord } from "#libs/plan";
import { type Clock, openClock } from "#libs/runtime";
import { type Github, startGithub } from "#sandbox/github";
import { type KubeServer, startKube } from "#sandbox/kube";
import { expect } from "vitest";

import { type ServiceProcess, spawnService } from "../../sandbox/demo/spawn-service.ts";
import { audit, describeViolations } from "../auditor/audit.ts";
import { readHistory, readLedgerRuns } from "../auditor/read-history.ts";
import { type ClusterRecorder, recordCluster } from "../auditor/record-cluster.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const token = "token-of-ana-for-tests";
const users = [{ login: "ana", token, admin: true }];

export interface BrokerUrls {
  readonly redisUrl: string;
  readonly natsUrl: string;
}

/** Real processes over real Redis, NATS, git and HTTP; one cluster whose time runs faster. */
export class RealFleet {
  readonly folder = mkdtempSync(join(tmpdir(), "meshroll-fleet-"));
  readonly cluster: string;
  readonly clock: Clock;
  readonly model: KubeModel;
  readonly #scale: string;
  readonly #brokers: BrokerUrls;
  #github: Github | undefined;
  #kube: KubeServer | undefined;
  #recorder: ClusterRecorder | undefined;
  #repository: RolloutsRepository | undefined;
  readonly services = new Map<"planner" | "executor", ServiceProcess>();

  constructor(brokers: BrokerUrls, cluster: string, factor: number) {
    this.#brokers = brokers;
    // Queues and keys carry the cluster's name: tests that share the brokers never meet.
    this.cluster = cluster;
    const now = Date.now();
    this.#scale = `${now}:${factor}:${now}`;
    this.clock = openClock(this.#scale);
    this.model = createModel({ clock: toModelClock(this.clock), seed: cluster });
  }

  async start(files: Readonly<Record<string, string>>): Promise<void> {
    const clock = () => this.clock.now();
    const protection = { requiredChecks: [], requiredReviews: 0 };
    this.#github = await startGithub({
      folder: this.folder,
      owner: "acme",
      repo: "rollouts",
      users,
      protection,
      files,
      clock,
    });
    this.#kube = await startKube({ model: this.model, name: this.cluster, token: "token-of-the-executor" });
    writeFileSync(join(this.folder, "kubeconfig"), this.#kube.kubeconfig());
    this.#recorder = recordCluster(this.cluster, this.model);
    this.#repository = await openRepository({
      url: this.#github.gitUrl,
      folder: join(this.folder, "clone-of-test"),
      credentials: { token },
    });
    await this.#forgetOthers();
    await this.meshroll("init", "--by", "ana");
  }

  /** The brokers are shared by tests, but a bus belongs to one installation: what the last one left behind is removed. */
  async #forgetOthers(): Promise<void> {
    const bus = await openBus({ url: this.#brokers.natsUrl, name: "meshroll-test" });
    await bus.bucket("control").delete("state");
    await bus.bucket("status").delete("fleet");
    await bus.close();
  }

  get env(): Readonly<Record<string, string>> {
    return {
      MESHROLL_REPO_URL: this.#github?.gitUrl ?? "",
      MESHROLL_GIT_TOKEN: token,
      MESHROLL_NATS_URL: this.#brokers.natsUrl,
      MESHROLL_REDIS_URL: this.#brokers.redisUrl,
      MESHROLL_GIT_POLL_SECONDS: "0.5",
      MESHROLL_CLUSTERS: this.cluster,
      MESHROLL_KUBECONFIG: join(this.folder, "kubeconfig"),
      MESHROLL_SANDBOX_CLOCK: this.#scale,
      XDG_CACHE_HOME: join(this.folder, "cache"),
    };
  }

  /** Runs the CLI as a person does; answers what it printed. Never blocking: this process serves what it talks to. */
  async meshroll(...args: readonly string[]): Promise<string> {
    const cli = join(root, "cli", "main.ts");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", cli, ...args],
      {
        cwd: this.folder,
        env: { ...process.env, ...this.env },
      },
    );
    return stdout;
  }

  startService(name: "planner" | "executor"): void {
    const env = { ...this.env, MESHROLL_CLONE_DIR: join(this.folder, `clone-of-${name}`) };
    this.services.set(name, spawnService(name, name === "executor" ? ["--act"] : [], env, this.folder));
  }

  /** kill -9: nothing is closed, nothing is said. */
  async kill(name: "planner" | "executor"): Promise<void> {
    this.services.get(name)?.signal("SIGKILL");
    await this.services.get(name)?.ended;
  }

  /** Commits to main as a person who may. */
  async merge(files: Readonly<Record<string, string>>): Promise<string> {
    if (this.#repository === undefined) throw new Error("the fleet was not started");
    const { main } = await this.#repository.fetch();
    const author = { name: "ana", email: "ana@example.com" };
    const pushed = await this.#repository.commitAndPush({
      branch: "main",
      onto: main,
      files,
      message: "change",
      author,
    });
    if (pushed.kind === "rejected") throw new Error(pushed.why);
    return pushed.sha;
  }

  async runs(): Promise<readonly RunRecord[]> {
    const heads = await this.#repository?.fetch();
    if (this.#repository === undefined || heads?.ledger === undefined) return [];
    return Object.values((await openLedger(this.#repository).load(heads.ledger)).runs).toSorted(
      (a, b) => a.order - b.order,
    );
  }

  /** Looks until the condition holds: by state, never by a fixed wait. */
  async until(what: string, isTrue: () => Promise<boolean> | boolean, limitMs = 40_000): Promise<void> {
    const end = performance.now() + limitMs;
    while (!(await isTrue())) {
      if (performance.now() > end) throw new Error(`never: ${what}; logs in ${this.folder}`);
      await sleep(50);
    }
  }

  async untilRunEnds(): Promise<RunRecord> {
    let last: RunRecord | undefined;
    await this.until("the run ended", async () => {
      last = (await this.runs()).at(-1);
      return last !== undefined && last.state !== "open";
    });
    if (last === undefined) throw new Error("there is no run");
    return last;
  }

  /** Ends everything; the auditor judges what the API server and git recorded. */
  async end(): Promise<void> {
    await Promise.all([...this.services.values()].map(async (service) => service.stop()));
    const cluster = this.#recorder?.take();
    this.#recorder?.stop();
    await this.#github?.close();
    await this.#kube?.close();
    const repository = join(this.folder, "acme", "rollouts.git");
    const main = readHistory(repository, (at) => at);
    const evidence = { main, clusters: cluster === undefined ? [] : [cluster], ledgerRuns: readLedgerRuns(repository) };
    expect(describeViolations(audit(evidence))).toBe("");
    rmSync(this.folder, { recursive: true, force: true });
  }
}
