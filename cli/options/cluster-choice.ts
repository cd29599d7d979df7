import { resolve } from "node:path";

import { isClusterName } from "#libs/events";
import type { Command } from "commander";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The caller's own access to the clusters, for when the bus is down. */
export interface DirectOptions {
  readonly kubeconfig?: string;
  readonly clusters?: string;
}

/** A cluster by meshroll's name, and its context; `path` absent = $KUBECONFIG or ~/.kube/config. */
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

/** `name[=context],…`, alike in every command; refuses an invalid name. */
export function parseChoices(text: string): readonly ClusterChoice[] {
  return text.split(",").map((part) => {
    const [name = "", ...rest] = part.trim().split("=");
    if (!isClusterName(name)) {
      const help = "give them as the executor's MESHROLL_CLUSTERS does: name[=context],…  with names of [a-z0-9-]";
      throw new Refusal(exitCodes.usage, `${JSON.stringify(name)} is not the name of a cluster`, help);
    }
    const context = rest.join("=");
    return context === "" ? { name } : { name, context };
  });
}

/** The kubeconfig where it is one file; a list of files, or none, is left to kubectl's rules. */
function choosePath({ kubeconfig }: DirectOptions, { env, cwd }: Terminal): string | undefined {
  const path = kubeconfig ?? env["MESHROLL_KUBECONFIG"] ?? env["KUBECONFIG"];
  return path === undefined || path.includes(":") ? undefined : resolve(cwd, path);
}

/**
 * The clusters that the caller can reach directly; empty when none is named. A kubeconfig may have contexts of other clusters.
 */
export function chooseClusters(options: DirectOptions, terminal: Terminal): readonly ClusterChoice[] {
  const path = choosePath(options, terminal);
  const list = options.clusters ?? terminal.env["MESHROLL_CLUSTERS"];
  return list === undefined ? [] : parseChoices(list).map((each) => (path === undefined ? each : { ...each, path }));
}

/** Commands that work when meshroll does not run. */
export function nameLastResort(choices: readonly ClusterChoice[]): readonly string[] {
  const command = "-n meshroll-system create configmap meshroll-stop";
  if (choices.length === 0) return [`kubectl ${command}`];
  return choices.map(({ path, context, name }) => {
    const file = path === undefined ? "" : `--kubeconfig ${path} `;
    return `kubectl ${file}--context ${context ?? name} ${command}`;
  });
}
