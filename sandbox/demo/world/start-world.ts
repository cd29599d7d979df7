import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { toModelClock } from "#fakes/kube";
import type { Clock } from "#libs/runtime";
import { openClock } from "#libs/runtime";
import { compileRollouts, parseRollouts } from "#libs/rollouts";
import { clusterNames, createFleet, type SandboxCluster } from "#sandbox/fleet";
import { renderKubeconfig, startKube } from "#sandbox/kube";
import { type Slack, startSlack } from "#sandbox/slack";

import { findFreePort } from "../../../scripts/brokers/free-port.ts";
import { type Brokers, startBrokers } from "../../../scripts/brokers/start-brokers.ts";
import { demoRollouts } from "./files.ts";
import { addVmGroups } from "../vms/demo-groups.ts";
import { deleteOldKeys } from "./delete-old-keys.ts";
import type { DemoScm, OpenDemoScm } from "./scm/demo-scm.ts";
import { openGithub } from "./scm/open-github.ts";
import { demoInstallation, slackChannel, slackToken } from "./users.ts";

/** Everything outside of meshroll, on this computer. */
export interface DemoEnvironment {
  readonly folder: string;
  readonly clock: Clock;
  /** Value of MESHROLL_SANDBOX_CLOCK for all processes. */
  readonly scale: string;
  /** Converts real epoch ms to the clusters' clock, which runs `factor` times as fast. */
  readonly toClusterTime: (realMs: number) => number;
  readonly factor: number;
  readonly brokers: Brokers;
  readonly scm: DemoScm;
  readonly slack: Slack;
  readonly clusters: readonly SandboxCluster[];
  /** Path of a file with one context for each cluster, named after it. */
  readonly kubeconfig: string;
  /** Where services/api answers once it runs. */
  readonly apiUrl: string;
  stop(): Promise<void>;
}

export interface EnvironmentOptions {
  readonly folder: string;
  /** How many times as fast as real time the clusters' clock runs. */
  readonly factor: number;
  readonly namespaces: number;
  readonly log: (line: string) => void;
  /** Default: the stand-in for GitHub. */
  readonly openScm?: OpenDemoScm;
}

type Closers = (() => Promise<void>)[];

/** The revision that the published file gives a namespace, with which the demo's clusters begin. */
function readPublished(): (namespace: string) => string {
  const parsed = parseRollouts(demoRollouts, "rollouts.yml");
  if (!parsed.ok) throw new Error("bug: the published file does not parse");
  const resolver = compileRollouts(parsed.value, "");
  return (namespace) => resolver.resolve(namespace).revision;
}

async function serveClusters(clusters: readonly SandboxCluster[], folder: string, closers: Closers): Promise<string> {
  const servers = await Promise.all(
    clusters.map(async ({ name, model }) => {
      const token = `demo-token-of-the-executor-in-${name}`;
      const kube = await startKube({ model, name, token });
      closers.push(async () => kube.close());
      return { name, url: kube.url, token };
    }),
  );
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, renderKubeconfig(servers));
  return kubeconfig;
}

/** Starts brokers, SCM and the clusters; when a part fails, those before it are stopped again. */
export async function startEnvironment({
  folder,
  factor,
  namespaces,
  log,
  openScm = openGithub,
}: EnvironmentOptions): Promise<DemoEnvironment> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const closers: Closers = [];
  const stop = async (): Promise<void> => {
    for (const each of closers.splice(0).toReversed()) await each();
  };
  try {
    const brokers = await startBrokers({
      folder: join(folder, "brokers"),
      log,
      clusters: clusterNames,
      installation: demoInstallation,
    });
    closers.push(async () => brokers.stop());
    if (brokers.nats === undefined) await deleteOldKeys(brokers.natsUrl);
    const now = Date.now();
    const scale = `${now}:${factor}:${now}`;
    const clock = openClock(scale);
    const toClusterTime = (realMs: number): number => now + (realMs - now) * factor;
    const apiUrl = `http://127.0.0.1:${await findFreePort()}`;
    const scm = await openScm({ folder, clock, toClusterTime, apiUrl });
    closers.push(async () => scm.close());
    const slack = await startSlack({ tokens: [{ token: slackToken }], channels: [slackChannel] });
    closers.push(async () => slack.close());
    const clusters = createFleet({
      clock: toModelClock(clock),
      seed: "demo",
      namespaces,
      revisionOf: readPublished(),
      revisions: ["1-24-5", "1-25-2"],
      brokenOneIn: 33,
    });
    addVmGroups(clusters);
    const kubeconfig = await serveClusters(clusters, folder, closers);
    const time = { clock, scale, toClusterTime, factor };
    const servers = { brokers, scm, slack, clusters, kubeconfig, apiUrl };
    return { folder, ...time, ...servers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
