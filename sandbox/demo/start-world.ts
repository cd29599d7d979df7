import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { toModelClock } from "#fakes/kube";
import type { Clock } from "#libs/runtime";
import { openClock } from "#libs/runtime";
import { compileRollouts, parseRollouts } from "#libs/spec";
import { createFleet, type SandboxFleet } from "#sandbox/fleet";
import { type Github, startGithub } from "#sandbox/github";
import { startKube } from "#sandbox/kube";

import { startBrokers } from "../../scripts/brokers/start-brokers.ts";
import { demoSettings, publishedRollouts } from "./files.ts";

/** Everything outside of meshroll, on this computer. */
export interface DemoWorld {
  readonly folder: string;
  readonly clock: Clock;
  readonly github: Github;
  readonly fleet: SandboxFleet;
  /** Environment of the services. */
  readonly env: Readonly<Record<string, string>>;
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly folder: string;
  /** How many times as fast the cluster lives. */
  readonly factor: number;
  readonly namespaces: number;
  readonly log: (line: string) => void;
}

/** Who can do what in the demo's GitHub: ana proposes, ben reviews, meshroll has the least. */
export const users = {
  ana: { login: "ana", token: "demo-token-of-ana", admin: true },
  ben: { login: "ben", token: "demo-token-of-ben" },
  meshroll: { login: "meshroll", token: "demo-token-of-meshroll" },
} as const;

/** What the published file says each namespace runs: that is how the demo's cluster begins. */
function readPublished(): (namespace: string) => string {
  const parsed = parseRollouts(publishedRollouts, "rollouts.yml");
  if (!parsed.ok) throw new Error("bug: the published file does not parse");
  const resolver = compileRollouts(parsed.value, "");
  return (namespace) => resolver.resolve(namespace).revision;
}

/** Starts brokers, GitHub and one cluster; whatever started is stopped again when a later part fails. */
export async function startWorld({ folder, factor, namespaces, log }: WorldOptions): Promise<DemoWorld> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    const brokers = await startBrokers({ folder: join(folder, "brokers"), log });
    stops.push(async () => brokers.stop());
    const now = Date.now();
    const scale = `${now}:${factor}:${now}`;
    const clock = openClock(scale);
    const github = await startGithub({
      folder,
      owner: "acme",
      repo: "rollouts",
      users: Object.values(users),
      protection: { requiredChecks: [], requiredReviews: 1 },
      files: { "rollouts.yml": publishedRollouts, "meshroll.yml": demoSettings },
      clock: () => clock.now(),
    });
    stops.push(async () => github.close());
    symlinkSync(join("acme", "rollouts.git"), join(folder, "rollouts.git"));
    const fleet = createFleet({
      clock: toModelClock(clock),
      seed: "demo",
      namespaces,
      revisionOf: readPublished(),
      revisions: ["1-24-5", "1-25-2"],
      brokenOneIn: 23,
    });
    const kube = await startKube({ model: fleet.model, name: "one", token: "demo-token-of-the-executor" });
    stops.push(async () => kube.close());
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, kube.kubeconfig());
    const env = {
      MESHROLL_REPO_URL: github.gitUrl,
      MESHROLL_GIT_TOKEN: users.meshroll.token,
      MESHROLL_NATS_URL: brokers.natsUrl,
      MESHROLL_REDIS_URL: brokers.redisUrl,
      MESHROLL_GIT_POLL_SECONDS: "0.5",
      MESHROLL_CLUSTERS: "one",
      MESHROLL_KUBECONFIG: kubeconfig,
      MESHROLL_SANDBOX_CLOCK: scale,
    };
    return { folder, clock, github, fleet, env, kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
