import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { createModel, type KubeModel, toModelClock } from "#fakes/kube";
import { type Bus, openBus } from "#libs/bus";
import { openRepository, type RolloutsRepository } from "#libs/git";
import { testInstallation } from "#libs/input";
import { openLedger } from "#libs/ledger";
import { makeBaseline } from "#libs/plan";
import { type Clock, openClock } from "#libs/runtime";
import { startGithub, type WebhookTarget } from "#sandbox/github";
import { renderKubeconfig, startKube } from "#sandbox/kube";

import { type Brokers, startBrokers } from "../../scripts/brokers/start-brokers.ts";
import { type ServiceName, type ServiceProcess, spawnService } from "../demo/world/spawn-service.ts";

const token = "token-of-ana-in-a-bench";
const author = { name: "ana", email: "ana@example.com" };

/** A successful patch that moves a workload. Annotations of arrivals, by field manager `meshroll-record`, are not counted. */
export interface Patch {
  /** Real monotonic ms of this process. */
  readonly at: number;
  /** Login of the executor that wrote. */
  readonly user: string;
  readonly cluster: string;
}

export interface RigOptions {
  readonly clusters: readonly string[];
  /** How many times as fast as real time the clusters' clock runs. */
  readonly factor: number;
  /** Adds the workloads of one cluster. */
  readonly fill: (model: KubeModel, cluster: string) => void;
  readonly files: Readonly<Record<string, string>>;
  /** Logins of executors, each with a kubeconfig of its own. Default: one. */
  readonly executors?: readonly string[];
  readonly webhooks?: readonly WebhookTarget[];
}

/** Real brokers, git and HTTP, and meshroll's own processes. */
export interface Rig {
  readonly folder: string;
  readonly brokers: Brokers;
  readonly bus: Bus;
  readonly patches: readonly Patch[];
  /** Called at each patch, before the API server answers it. */
  onPatch(listener: (patch: Patch) => void): void;
  start(name: ServiceName, env?: Readonly<Record<string, string>>, args?: readonly string[]): ServiceProcess;
  startExecutor(login?: string): ServiceProcess;
  /** Commits to main; resolves once the server has it. */
  merge(files: Readonly<Record<string, string>>): Promise<void>;
  stop(): Promise<void>;
}

/** Resolves once it holds; asks every 5 ms. Throws after `limitMs`. */
export async function until(what: string, isTrue: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`never: ${what}`);
    await sleep(5);
  }
}

type Closers = (() => Promise<void> | void)[];

/**
 * Starts API servers of all clusters for one executor: the user of a write tells which executor wrote. Returns a kubeconfig.
 */
async function serveClusters(models: ReadonlyMap<string, KubeModel>, user: string, closers: Closers): Promise<string> {
  const servers = await Promise.all(
    [...models].map(async ([name, model]) => {
      const kube = await startKube({ model, name, user, token: `token-of-${user}` });
      closers.push(async () => kube.close());
      return { name, url: kube.url, token: `token-of-${user}` };
    }),
  );
  return renderKubeconfig(servers);
}

function makeModels({ clusters, fill }: RigOptions, clock: Clock): ReadonlyMap<string, KubeModel> {
  return new Map(
    clusters.map((name) => {
      const model = createModel({ clock: toModelClock(clock), seed: name });
      model.addNamespace("meshroll-system");
      for (const revision of ["old", "new"]) model.addIstiod(revision);
      fill(model, name);
      return [name, model];
    }),
  );
}

function recordPatches(models: ReadonlyMap<string, KubeModel>) {
  const patches: Patch[] = [];
  const listeners: ((patch: Patch) => void)[] = [];
  for (const [cluster, model] of models) {
    model.onWrite(({ verb, path, status, user, fieldManager }) => {
      if (verb !== "patch" || fieldManager !== "meshroll" || status >= 300 || !path.includes("/deployments/")) return;
      const patch = { at: performance.now(), user, cluster };
      patches.push(patch);
      for (const each of listeners) each(patch);
    });
  }
  return { patches, onPatch: (listener: (patch: Patch) => void) => void listeners.push(listener) };
}

async function openMain(folder: string, url: string): Promise<RolloutsRepository> {
  const repository = await openRepository({ url, folder: join(folder, "clone-of-bench"), credentials: { token } });
  const { main } = await repository.fetch();
  await openLedger(repository).record(makeBaseline(main, Date.now(), "ana", testInstallation), undefined);
  return repository;
}

export async function startRig(options: RigOptions): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-bench-"));
  const closers: Closers = [() => rmSync(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    const now = Date.now();
    const scale = `${now}:${options.factor}:${now}`;
    const clock = openClock(scale);
    const models = makeModels(options, clock);
    const brokers = await startBrokers({
      folder: join(folder, "brokers"),
      env: {},
      log: console.error,
      clusters: options.clusters,
    });
    closers.push(async () => brokers.stop());
    const github = await startGithub({
      folder,
      owner: "acme",
      repo: "rollouts",
      users: [{ login: "ana", token, admin: true }],
      protection: { requiredChecks: [], requiredReviews: 0 },
      files: options.files,
      ...(options.webhooks === undefined ? {} : { webhooks: options.webhooks }),
    });
    closers.push(async () => github.close());
    const logins = options.executors ?? ["meshroll-executor"];
    for (const login of logins) {
      writeFileSync(join(folder, `kubeconfig-${login}`), await serveClusters(models, login, closers));
    }
    const repository = await openMain(folder, github.gitUrl);
    const bus = await openBus({ url: brokers.natsUrl, installation: testInstallation, name: "meshroll-bench" });
    closers.push(async () => bus.close());
    let count = 0;
    const start: Rig["start"] = (name, env = {}, args = []) => {
      const own = join(folder, `${name}-${(count += 1)}`);
      mkdirSync(own);
      const shared = {
        MESHROLL_REPO_URL: github.gitUrl,
        MESHROLL_GIT_TOKEN: token,
        ...brokers.environmentOf(name),
        MESHROLL_INSTALLATION: testInstallation,
        MESHROLL_SANDBOX_CLOCK: scale,
        MESHROLL_CLONE_DIR: join(own, "clone"),
        XDG_CACHE_HOME: join(folder, "cache"),
      };
      const service = spawnService(name, args, { ...shared, ...env }, own);
      closers.push(async () => service.stop());
      return service;
    };
    const pairs = options.clusters.map((name) => `${name}=${name}`).join(",");
    return {
      folder,
      brokers,
      bus,
      ...recordPatches(models),
      start,
      startExecutor: (login = logins[0] ?? "") =>
        start("executor", { MESHROLL_CLUSTERS: pairs, MESHROLL_KUBECONFIG: join(folder, `kubeconfig-${login}`) }, [
          "--act",
        ]),
      async merge(files) {
        const { main } = await repository.fetch();
        const pushed = await repository.commitAndPush({ branch: "main", onto: main, files, message: "change", author });
        if (pushed.kind === "rejected") throw new Error(pushed.why);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
