import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { createModel, type KubeModel, toModelClock } from "#fakes/kube";
import { openClock } from "#libs/runtime";
import {
  demandReviews,
  type Github,
  type GithubOptions,
  type GithubUser,
  type Protection,
  startGithub,
} from "#sandbox/github";
import { startKube } from "#sandbox/kube";
import { type Outcome, runCli } from "#test/run-cli";
import { onTestFinished } from "vitest";

const users: readonly GithubUser[] = [
  { login: "meshroll[bot]", token: "token-of-the-app", type: "Bot" },
  { login: "ana", token: "token-of-ana" },
  { login: "root", token: "token-of-root", admin: true },
  { login: "eve", token: "token-of-eve", mayWrite: false },
];

/** A rollouts repository on a GitHub, and a cluster, for command lines that run in the test's process. */
export interface CliEnvironment {
  readonly folder: string;
  readonly github: Github;
  readonly model: KubeModel;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command line, by default as `ana`, with the SCM and without a bus. */
  meshroll(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome>;
  /** Runs git in the bare repository. */
  git(...args: readonly string[]): Promise<string>;
}

/** `--kubeconfig` and `--clusters` for the environment's own cluster. */
export function lookAt(environment: CliEnvironment): readonly string[] {
  return ["--kubeconfig", join(environment.folder, "kubeconfig"), "--clusters", "one"];
}

/** Starts both servers; they end with the test. `fill` creates the cluster's workloads. */
export async function openCliEnvironment(
  files: Readonly<Record<string, string>>,
  fill: (model: KubeModel) => void,
  protection: Protection = {
    requiredChecks: ["meshroll/plan", "meshroll/approvals"],
    requiredReviews: 0,
    ...demandReviews(["ana"]),
  },
  more: Partial<GithubOptions> = {},
): Promise<CliEnvironment> {
  const folder = mkdtempSync(join(tmpdir(), "meshroll-cli-world-"));
  const github = await startGithub({
    folder: join(folder, "hub"),
    owner: "acme",
    repo: "rollouts",
    users,
    protection,
    files,
    ...more,
  });
  const model = createModel({ clock: toModelClock(openClock(undefined)), seed: "one" });
  model.addNamespace("meshroll-system");
  fill(model);
  const kube = await startKube({ model, name: "one" });
  writeFileSync(join(folder, "kubeconfig"), kube.kubeconfig());
  onTestFinished(async () => {
    await Promise.all([github.close(), kube.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const env = {
    USER: "ana",
    XDG_CACHE_HOME: join(folder, "cache"),
    MESHROLL_REPO_URL: github.gitUrl,
    MESHROLL_GIT_TOKEN: "token-of-ana",
    MESHROLL_GITHUB_API_URL: github.url,
    MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
    MESHROLL_GITHUB_TOKEN: "token-of-ana",
    MESHROLL_SANDBOX_THROTTLE: "1",
  };
  return {
    folder,
    github,
    model,
    env,
    meshroll: async (args, more = {}) => runCli(args, { cwd: folder, env: { ...env, ...more } }),
    git: async (...args) => (await promisify(execFile)("git", ["-C", github.repoPath, ...args])).stdout,
  };
}

/** A campaign of three stages on the workloads of `fillShops`; its last stage moves nothing. */
export const campaign = `apiVersion: meshroll.dev/v1
kind: Campaign
metadata: { name: istio-1-25 }
spec:
  target: 1-25-2
  replaces: [1-24-5]
  exclude:
    - { pattern: "shop-1.", reason: PCI audit, until: 2098-01-01 }
  clusters: { order: [[one]] }
  defaults:
    bake: 24h
    batch: { batchSize: 2, delayBetweenBatches: 1m }
    approvals: { required: 2, from: ["team:mesh"] }
  windows:
    - { kind: allow, schedule: "0 9 1 1 *", duration: 1h, timeZone: Europe/Berlin, atEnd: finishBatch }
  stages:
    - { name: staging, set: { ".*-staging": 100 }, autoMerge: true, windows: [] }
    - { name: prod-50, set: { production: 50 } }
    - { name: prod-51, set: { production: 51 } }
`;

export const rollouts = `production:
  1-24-5: 100
  1-25-2: 0
".*-staging":
  1-24-5: 100
  1-25-2: 0
istio-e2e:
  1-24-5: 100
`;

/** Twenty shops, four namespaces of staging and one that tests the mesh, each with one Deployment on the old revision. */
export function fillShops(model: KubeModel): void {
  const labels = { "istio.io/rev": "1-24-5" };
  model.addIstiod("1-24-5");
  model.addIstiod("1-25-2");
  const names = Array.from({ length: 20 }, (_, index) => `shop-${String(index).padStart(2, "0")}`);
  const staging = ["ads", "tax", "pay", "map"].map((name) => `${name}-staging`);
  for (const ns of [...names, ...staging, "istio-e2e"]) {
    model.addDeployment({ ns, name: "web", replicas: ns === "ads-staging" ? 1 : 2, labels });
  }
}
