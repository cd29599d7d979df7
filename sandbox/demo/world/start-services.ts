import { join } from "node:path";

import { vmKey } from "../vms/play-vms.ts";
import { type ServiceName, type ServiceProcess, spawnService } from "./spawn-service.ts";
import type { DemoEnvironment } from "./start-world.ts";
import { demoInstallation, slackChannel, slackToken, webhookSecret } from "./users.ts";

/** meshroll's own processes, each with the environment that a deployment would give it. */
export interface Services {
  /** Rejects when one of them ends by itself; the message names its log. */
  readonly died: Promise<never>;
  stop(): Promise<void>;
}

/** Repository, bus, queue and clock for a service or, with the login `cli`, for commands. */
export function describeEnvironment(
  { scm, brokers, scale, folder }: DemoEnvironment,
  login: string,
): Readonly<Record<string, string>> {
  return {
    MESHROLL_REPO_URL: scm.gitUrl,
    MESHROLL_GIT_TOKEN: scm.address.tokens.meshroll,
    ...brokers.environmentOf(login),
    MESHROLL_INSTALLATION: demoInstallation,
    MESHROLL_SANDBOX_CLOCK: scale,
    XDG_CACHE_HOME: join(folder, "cache"),
  };
}

function describeScm({ scm }: DemoEnvironment): Readonly<Record<string, string>> {
  const { kind, url, tokens } = scm.address;
  return {
    MESHROLL_SCM: kind,
    MESHROLL_GITHUB_API_URL: url,
    MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
    MESHROLL_GITHUB_TOKEN: tokens.meshroll,
    // Octokit spaces writes by a second, as GitHub asks for; the stand-in needs less.
    ...(kind === "github" ? { MESHROLL_SANDBOX_THROTTLE: "10" } : {}),
  };
}

function describeClusters({ clusters, kubeconfig }: DemoEnvironment): Readonly<Record<string, string>> {
  return {
    MESHROLL_CLUSTERS: clusters.map(({ name }) => `${name}=${name}`).join(","),
    MESHROLL_KUBECONFIG: kubeconfig,
  };
}

/** For commands in another terminal, which keep their own clock and cache. */
export function describePeople(environment: DemoEnvironment): Readonly<Record<string, string>> {
  const { MESHROLL_SANDBOX_CLOCK: _, XDG_CACHE_HOME: __, ...own } = describeEnvironment(environment, "cli");
  return { ...own, ...describeScm(environment), ...describeClusters(environment) };
}

function describeServices(
  environment: DemoEnvironment,
): readonly (readonly [ServiceName, readonly string[], object])[] {
  const scm = describeScm(environment);
  const slack = {
    MESHROLL_SLACK_API_URL: environment.slack.url,
    MESHROLL_SLACK_TOKEN: slackToken,
    MESHROLL_SLACK_CHANNEL: slackChannel,
  };
  const api = {
    MESHROLL_API_PORT: new URL(environment.apiUrl).port,
    MESHROLL_GITHUB_WEBHOOK_SECRET: webhookSecret,
    MESHROLL_API_VM_KEY: vmKey,
  };
  const polls = { MESHROLL_GIT_POLL_SECONDS: "2", MESHROLL_GITHUB_POLL_SECONDS: "2" };
  return [
    ["executor", ["--act"], describeClusters(environment)],
    ["planner", [], { ...scm, ...polls, MESHROLL_PAGE_URL: environment.apiUrl }],
    ["notifier", [], { ...scm, ...slack }],
    ["api", [], api],
  ];
}

/** Starts the processes of production: one hub executor for all clusters, planner, notifier, api. */
export function startServices(environment: DemoEnvironment): Services {
  const running = new Set<ServiceProcess>();
  const { promise: died, reject } = Promise.withResolvers<never>();
  died.catch(() => undefined);
  for (const [name, args, own] of describeServices(environment)) {
    const clone = { MESHROLL_CLONE_DIR: join(environment.folder, `clone-of-${name}`) };
    const env = { ...describeEnvironment(environment, name), ...clone, ...own };
    const service = spawnService(name, args, env, environment.folder);
    running.add(service);
    void service.ended.then((code) => {
      // A service that was told to stop is no longer in the set.
      if (!running.has(service)) return;
      reject(new Error(`the ${name} ended with ${code}: its log is ${join(environment.folder, `${name}.log`)}`));
    });
  }
  return {
    died,
    stop: async () => {
      const left = [...running];
      running.clear();
      await Promise.all(left.map(async (service) => service.stop()));
    },
  };
}
