import { join } from "node:path";

import { type ServiceName, type ServiceProcess, spawnService } from "./spawn-service.ts";
import type { DemoWorld } from "./start-world.ts";
import { demoInstallation, slackChannel, slackToken, users, webhookSecret } from "./users.ts";

/** meshroll's own processes, each with the environment that a deployment would give it. */
export interface Services {
  /** Rejects when one of them ends by itself: its log says why. */
  readonly died: Promise<never>;
  stop(): Promise<void>;
}

/** Where merged files, bus and queue are, for a service or, as `cli`, for people's commands. */
export function describeEnvironment(
  { github, brokers, scale, folder }: DemoWorld,
  login: string,
): Readonly<Record<string, string>> {
  return {
    MESHROLL_REPO_URL: github.gitUrl,
    MESHROLL_GIT_TOKEN: users.meshroll.token,
    ...brokers.environmentOf(login),
    MESHROLL_INSTALLATION: demoInstallation,
    MESHROLL_SANDBOX_CLOCK: scale,
    XDG_CACHE_HOME: join(folder, "cache"),
  };
}

function describeServices(world: DemoWorld): readonly (readonly [ServiceName, readonly string[], object])[] {
  const github = {
    MESHROLL_GITHUB_API_URL: world.github.url,
    MESHROLL_GITHUB_REPOSITORY: "acme/rollouts",
    MESHROLL_GITHUB_TOKEN: users.meshroll.token,
    // Octokit spaces writes by seconds, which GitHub asks for and a stand-in on this computer does not.
    MESHROLL_SANDBOX_THROTTLE: "10",
  };
  const slack = {
    MESHROLL_SLACK_API_URL: world.slack.url,
    MESHROLL_SLACK_TOKEN: slackToken,
    MESHROLL_SLACK_CHANNEL: slackChannel,
  };
  const names = world.clusters.map(({ name }) => name);
  return [
    [
      "executor",
      ["--act"],
      { MESHROLL_CLUSTERS: names.map((name) => `${name}=${name}`).join(","), MESHROLL_KUBECONFIG: world.kubeconfig },
    ],
    ["planner", [], { ...github, MESHROLL_GIT_POLL_SECONDS: "2", MESHROLL_GITHUB_POLL_SECONDS: "2" }],
    ["notifier", [], { ...github, ...slack }],
    ["api", [], { MESHROLL_API_PORT: new URL(world.apiUrl).port, MESHROLL_GITHUB_WEBHOOK_SECRET: webhookSecret }],
  ];
}

/** One that ends by itself ends the demo. */
async function failWhenOneEnds(
  processes: readonly (readonly [string, ServiceProcess])[],
  folder: string,
): Promise<never> {
  const [name, code] = await Promise.race(
    processes.map(async ([each, service]) => [each, await service.ended] as const),
  );
  throw new Error(`the ${name} ended with ${code}: its log is ${join(folder, `${name}.log`)}`);
}

/** Starts the processes of production: one hub executor for all clusters, planner, notifier, api. */
export function startServices(world: DemoWorld): Services {
  const processes = describeServices(world).map(([name, args, own]) => {
    const clone = { MESHROLL_CLONE_DIR: join(world.folder, `clone-of-${name}`) };
    return [
      name,
      spawnService(name, args, { ...describeEnvironment(world, name), ...clone, ...own }, world.folder),
    ] as const;
  });
  let isStopping = false;
  const died = failWhenOneEnds(processes, world.folder).catch(async (error: unknown) => {
    // That they end when they are told to is no accident.
    if (isStopping) return new Promise<never>(() => undefined);
    throw error;
  });
  died.catch(() => undefined);
  return {
    died,
    stop: async () => {
      isStopping = true;
      await Promise.all(processes.map(async ([, service]) => service.stop()));
    },
  };
}
