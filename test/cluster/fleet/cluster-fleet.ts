import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { type Bus, openBus } from "#libs/bus";
import { nameVmKey, readVmTag } from "#libs/events";
import type { VmRef } from "#libs/fleet";
import { openRepository, type RolloutsRepository } from "#libs/git";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { type FleetStatus, makeBaseline, type RunRecord } from "#libs/plan";
import { type Github, startGithub } from "#sandbox/github";

import { type ServiceName, type ServiceProcess, spawnService } from "../../../sandbox/demo/world/spawn-service.ts";
import type { Broker } from "../../../scripts/brokers/broker.ts";
import { startNats, startRedis } from "../../../scripts/brokers/start-brokers.ts";
import { findFreePort } from "../../../scripts/brokers/free-port.ts";
import { describeWaits } from "../../integration/fleet/describe-waits.ts";
import { tokens, users } from "../../integration/fleet/people.ts";
import type { OwnCluster } from "../bed/start-cluster.ts";
import { logInAsExecutor } from "./executor-login.ts";

const ana = { name: "ana", email: "ana@example.com" };

interface Servers {
  readonly redis: Broker;
  readonly nats: Broker;
  readonly github: Github;
  readonly repository: RolloutsRepository;
  readonly bus: Bus;
}

/** An executor that only looks. */
interface Observer {
  /** Path of the kubeconfig by which it logs in. */
  readonly kubeconfig: string;
}

/** meshroll's own processes on a real cluster, real brokers and real git, with the RBAC that we ship. */
export class ClusterFleet {
  readonly folder: string;
  readonly #kubeconfig: string;
  readonly #services = new Map<ServiceName, ServiceProcess>();
  readonly #servers: Servers;
  readonly #flags: readonly string[];

  private constructor(cluster: OwnCluster, servers: Servers, folder: string, observer?: Observer) {
    this.#servers = servers;
    this.folder = folder;
    this.#kubeconfig = observer?.kubeconfig ?? logInAsExecutor(cluster);
    this.#flags = observer === undefined ? ["--act"] : [];
  }

  /** `files` are on main before the first run. With an observer, rights are not applied, and nothing is moved. */
  static async open(
    cluster: OwnCluster,
    files: Readonly<Record<string, string>>,
    observer?: Observer,
  ): Promise<ClusterFleet> {
    const folder = mkdtempSync(join(tmpdir(), "meshroll-on-cluster-"));
    const options = { folder, log: () => undefined, clusters: ["one"] };
    // In sequence, as each may fetch its program, and apt cannot run twice at once.
    const redis = await startRedis(options);
    const nats = await startNats(options);
    const named = { folder, owner: "acme", repo: "rollouts", users };
    const protection = { requiredChecks: [], requiredReviews: 0 };
    const github = await startGithub({ ...named, protection, files, clock: () => Date.now() });
    const clone = join(folder, "clone-of-test");
    const repository = await openRepository({ url: github.gitUrl, folder: clone, credentials: { token: tokens.ana } });
    const bus = await openBus({ installation: testInstallation, url: nats.url, name: "meshroll-test", patient: true });
    const { main } = await repository.fetch();
    await openLedger(repository).record(makeBaseline(main, Date.now(), "ana", testInstallation), undefined);
    const fleet = new ClusterFleet(cluster, { redis, nats, github, repository, bus }, folder, observer);
    fleet.start("executor");
    fleet.start("planner");
    await fleet.until("the planner sees the cluster", async () => (await fleet.status())?.clusters[0]?.fresh === true);
    return fleet;
  }

  start(name: ServiceName, more: Readonly<Record<string, string>> = {}): void {
    const { github, nats, redis } = this.#servers;
    const env = {
      MESHROLL_NATS_URL: nats.urlOf(name),
      MESHROLL_REDIS_URL: redis.findUrl(name) ?? "",
      MESHROLL_REPO_URL: github.gitUrl,
      MESHROLL_GIT_TOKEN: tokens.ana,
      MESHROLL_INSTALLATION: testInstallation,
      MESHROLL_GIT_POLL_SECONDS: "1",
      MESHROLL_CLUSTERS: "one",
      MESHROLL_CLONE_DIR: join(this.folder, `clone-of-${name}`),
      ...(name === "executor" ? { MESHROLL_KUBECONFIG: this.#kubeconfig } : {}),
      ...more,
    };
    this.#services.set(name, spawnService(name, name === "executor" ? this.#flags : [], env, this.folder));
  }

  /** Environment variables of a person's shell. */
  get env(): Readonly<Record<string, string>> {
    const { github, nats } = this.#servers;
    return {
      MESHROLL_NATS_URL: nats.url,
      MESHROLL_REPO_URL: github.gitUrl,
      MESHROLL_GIT_TOKEN: tokens.ana,
      MESHROLL_INSTALLATION: testInstallation,
      USER: "ana",
    };
  }

  /** Starts an api that takes VMs; returns its address. `key` signs their tokens. */
  async startApi(key: string): Promise<string> {
    const port = await findFreePort();
    this.start("api", { MESHROLL_API_PORT: String(port), MESHROLL_API_VM_KEY: key });
    return `http://127.0.0.1:${port}`;
  }

  /** The process of a service that was started. */
  findPid(name: ServiceName): number {
    const service = this.#services.get(name);
    if (service === undefined) throw new Error(`${name} was not started`);
    return service.pid;
  }

  /** Ends a service by SIGKILL. */
  async kill(name: ServiceName): Promise<void> {
    const service = this.#services.get(name);
    service?.signal("SIGKILL");
    await service?.ended;
  }

  /** The commit on main. */
  async merge(files: Readonly<Record<string, string>>): Promise<string> {
    const { repository } = this.#servers;
    const { main } = await repository.fetch();
    const draft = { branch: "main", onto: main, files, message: "change", author: ana };
    const pushed = await repository.commitAndPush(draft);
    if (pushed.kind === "rejected") throw new Error(pushed.why);
    return pushed.sha;
  }

  async status(): Promise<FleetStatus | undefined> {
    const entry = await this.#servers.bus.bucket("status").get("fleet");
    return entry?.value === undefined ? undefined : (JSON.parse(entry.value) as FleetStatus);
  }

  async until(what: string, isTrue: () => Promise<boolean> | boolean, limitMs = 120_000): Promise<void> {
    const end = performance.now() + limitMs;
    while (!(await isTrue())) {
      if (performance.now() > end)
        throw new Error(`never: ${what}; ${await describeWaits(this.#servers.bus)}; logs: ${this.folder}`);
      await sleep(100);
    }
  }

  async #runs(): Promise<readonly RunRecord[]> {
    const { repository } = this.#servers;
    const { ledger } = await repository.fetch();
    if (ledger === undefined) return [];
    return Object.values((await openLedger(repository).load(ledger)).runs).toSorted((a, b) =>
      a.startedAt < b.startedAt ? -1 : 1,
    );
  }

  /** The tag that the executor wrote for a VM. */
  async readVmTag(vm: VmRef): Promise<string | undefined> {
    const entry = await this.#servers.bus.bucket("vms").get(nameVmKey("tags", vm));
    return entry?.value === undefined ? undefined : readVmTag(entry.value)?.revision;
  }

  /** Waits until so many runs have ended, and returns the newest one. */
  async untilRunEnds(count = 1, limitMs?: number): Promise<RunRecord> {
    let ended: readonly RunRecord[] = [];
    await this.until(
      `${count} runs ended`,
      async () => {
        ended = (await this.#runs()).filter(({ state }) => state !== "open");
        return ended.length >= count;
      },
      limitMs,
    );
    const last = ended.at(-1);
    if (last === undefined) throw new Error("there is no run");
    return last;
  }

  /** Waits until the run of this commit has ended. */
  async untilRunOf(commit: string, limitMs?: number): Promise<RunRecord> {
    let run: RunRecord | undefined;
    const hasEnded = async () => {
      run = (await this.#runs()).find((each) => each.commit === commit && each.state !== "open");
      return run !== undefined;
    };
    await this.until(`the run of ${commit} ended`, hasEnded, limitMs);
    if (run === undefined) throw new Error("there is no run");
    return run;
  }

  /** Ends everything except the cluster, and removes the services' logs. */
  async close(): Promise<void> {
    await Promise.all([...this.#services.values()].map(async (service) => service.stop()));
    const { bus, github, nats, redis } = this.#servers;
    await bus.close();
    await github.close();
    await Promise.all([nats.stop(), redis.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
