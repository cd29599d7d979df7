import { resolve } from "node:path";

import { isClusterName } from "#libs/events";
import type { Command } from "commander";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Where the caller's own way to the clusters is, for the day on which the bus is down. */
export interface DirectOptions {
  readonly kubeconfig?: string;
  readonly clusters?: string;
}

/** A cluster by our own name, and its context; `path` absent = $KUBECONFIG or ~/.kube/config. */
export interface ClusterChoice {
  readonly name: string;
  readonly context?: string;
  readonly path?: string;
}

/** `--kubeconfig` and `--clusters`. */
export function addDirectOptions(command: Command): Command {
  return command
    .option(
      "--kubeconfig <path>",
      "without NATS: how to reach the clusters (default: MESHROLL_KUBECONFIG, kubectl's own)",
    )
    .option("--clusters <list>", "without NATS: name[=context],… (default: MESHROLL_CLUSTERS)");
}

/** `name[=context],…`, as every command takes it; refuses what is no name. */
export function parseChoices(text: string): readonly ClusterChoice[] {
  return text.split(",").map((part) => {
    const [name = "", ...rest] = part.trim().split("=");
    if (!isClusterName(name)) {
      const help = "say them as the executor has them: name[=context],…  with names of [a-z0-9-]";
      throw new Refusal(exitCodes.usage, `${JSON.stringify(name)} is no name of a cluster`, help);
    }
    const context = rest.join("=");
    return context === "" ? { name } : { name, context };
  });
}

/** The kubeconfig that is meant, if it is one file: a list of them is kubectl's own to read, and so is none at all. */
function choosePath({ kubeconfig }: DirectOptions, { env, cwd }: Terminal): string | undefined {
  const path = kubeconfig ?? env["MESHROLL_KUBECONFIG"] ?? env["KUBECONFIG"];
  return path === undefined || path.includes(":") ? undefined : resolve(cwd, path);
}

/**
 * The clusters that a person can reach without us; empty when none is named. Other contexts of a kubeconfig may be other people's
 * clusters.
 */
export function chooseClusters(options: DirectOptions, terminal: Terminal): readonly ClusterChoice[] {
  const path = choosePath(options, terminal);
  const list = options.clusters ?? terminal.env["MESHROLL_CLUSTERS"];
  return list === undefined ? [] : parseChoices(list).map((each) => (path === undefined ? each : { ...each, path }));
}

/** What works when all of ours is dead. */
export function nameLastResort(choices: readonly ClusterChoice[]): readonly string[] {
  const command = "-n meshroll-system create configmap meshroll-stop";
  if (choices.length === 0) return [`kubectl ${command}`];
  return choices.map(({ path, context, name }) => {
    const file = path === undefined ? "" : `--kubeconfig ${path} `;
    return `kubectl ${file}--context ${context ?? name} ${command}`;
  });
}
