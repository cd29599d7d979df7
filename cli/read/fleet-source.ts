import { accessSync, constants, statSync } from "node:fs";

import { placeSystemError } from "#libs/input";
import type { Bus } from "#libs/bus";
import { createInventoryFold, findOtherVersion } from "#libs/events";
import type { ClusterSnapshot } from "#libs/plan";
import { quoteForShell } from "#libs/wording";
import type { Command } from "commander";

import { exitCodes } from "../terminal/exit-codes.ts";
import { type BusPlace, nameBusPlace } from "./find-installation.ts";
import { addInstallationOption } from "../options/installation-option.ts";
import { type IdleFlags, refuseIdle } from "../session/idle-flags.ts";
import { type ClusterChoice, parseChoices } from "../options/cluster-choice.ts";
import { refuseOtherVersion } from "../options/refuse-other-version.ts";
import { Refusal } from "../terminal/refusal.ts";
import type { Sentence } from "../terminal/sentence.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { BusDown, findBus, refuseNowhere, withBus } from "./with-bus.ts";

export interface FleetOptions {
  readonly nats?: string;
  readonly installation?: string;
  readonly kubeconfig?: string;
  readonly clusters?: string;
}

/** Refuses names of clusters where no kubeconfig is read, because they would have no effect. */
function requireKubeconfig({ clusters, kubeconfig }: FleetOptions): void {
  if (clusters === undefined || kubeconfig !== undefined) return;
  throw new Refusal(exitCodes.usage, "--clusters chooses contexts of a kubeconfig, and none is given", [
    "give it:  --kubeconfig PATH\none cluster of what executors publish:  ",
    { command: "meshroll get workloads --cluster NAME" },
  ]);
}

/** `--nats`, `--kubeconfig` and `--clusters`: where a command reads what runs. */
export function addFleetOptions(command: Command): Command {
  const rule: IdleFlags<FleetOptions> = {
    flags: ["nats", "installation"],
    when: ({ kubeconfig }) => kubeconfig !== undefined,
    because: "and --kubeconfig name two places to read what runs from",
    fix: "give one of them",
  };
  return refuseIdle(addInstallationOption(command), [rule])
    .hook("preAction", (_, action) => requireKubeconfig(action.opts<FleetOptions>()))
    .option("--nats <url>", "bus with the executors' inventory (default: MESHROLL_NATS_URL)")
    .option("--kubeconfig <path>", "look at clusters directly instead, without changing anything")
    .option("--clusters <list>", "with --kubeconfig: name[=context],… (default: its current context)");
}

/** Longest wait for a cluster's first lists, real ms. */
const listLimitMs = 60_000;
/** Longest wait for the whole inventory, real ms. */
const busLimitMs = 20_000;
/** Facts older than this are not fresh (rules 9.1). */
const freshMs = 60_000;

/** The API server's time, as it was last reported. */
function readServerTime({ serverAt }: ClusterSnapshot["facts"]): Pick<ClusterSnapshot, "serverNow"> {
  return serverAt === undefined ? {} : { serverNow: serverAt };
}

async function readBus(place: BusPlace, bus: Bus): Promise<ReadonlyMap<string, ClusterSnapshot>> {
  const { NamespaceTree } = await import("#libs/plan");
  const stop = new AbortController();
  const fold = createInventoryFold(NamespaceTree.empty);
  try {
    await new Promise<void>((resolve, reject) => {
      const gone = () =>
        reject(new BusDown(`NATS at ${nameBusPlace(place.url)} gave no inventory within ${busLimitMs / 1000} s`));
      AbortSignal.timeout(busLimitMs).addEventListener("abort", gone, { once: true });
      const watcher = {
        onEntry({ key, value }: { readonly key: string; readonly value?: string }) {
          const why = value === undefined ? undefined : findOtherVersion(value);
          if (why !== undefined) reject(refuseOtherVersion(`${key} of the inventory`, why));
          fold.apply(key, value, 0);
        },
        onReady: resolve,
        onReset: () => fold.reset(),
      };
      bus.bucket("inventory").watch(">", watcher, stop.signal).catch(reject);
    });
  } finally {
    stop.abort();
  }
  return new Map(
    fold.clusters().map(({ name, facts, namespaces, complete }) => {
      const ageMs = Math.max(0, Date.now() - facts.seenAt);
      const snapshot: ClusterSnapshot = {
        name,
        facts,
        namespaces,
        ageMs,
        fresh: complete && ageMs <= freshMs,
        ...readServerTime(facts),
        batch: undefined,
        batchEndedAt: 0,
      };
      return [name, snapshot];
    }),
  );
}

/** A file that cannot be read is no help to kubectl either. */
function helpWithKubeconfig(path: string): readonly Sentence[] {
  if (!isReadable(path)) return ["give --kubeconfig the path of a file that this user can read"];
  return ["look with:", [{ command: `kubectl --kubeconfig ${quoteForShell(path)} config get-contexts` }]];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false; // The refusal says what is wrong with it.
  }
}

async function observe(path: string, choices: readonly ClusterChoice[]): Promise<ReadonlyMap<string, ClusterSnapshot>> {
  const { KubeconfigError, openCluster } = await import("#libs/kube");
  const { systemClock } = await import("#libs/runtime");
  const stop = new AbortController();
  const limit = AbortSignal.timeout(listLimitMs);
  try {
    const seen = await Promise.all(
      choices.map(async ({ name, context }) => {
        const kubeconfig = context === undefined ? { path } : { path, context };
        const cluster = openCluster({ name, kubeconfig, clock: systemClock() });
        await cluster.start(() => undefined, AbortSignal.any([stop.signal, limit]));
        const facts = { ...cluster.view.facts(), mode: "observe" as const, problems: cluster.problems() };
        const snapshot: ClusterSnapshot = {
          name,
          facts,
          namespaces: new Map(cluster.view.namespaces),
          ageMs: 0,
          fresh: true,
          ...readServerTime(facts),
          batch: undefined,
          batchEndedAt: 0,
        };
        return [name, snapshot] as const;
      }),
    );
    return new Map(seen);
  } catch (error) {
    if (error instanceof KubeconfigError) {
      throw new Refusal(exitCodes.environment, error.message, ...helpWithKubeconfig(path));
    }
    throw new Refusal(exitCodes.unavailable, `cannot look at the cluster: ${placeSystemError(error)}`, [
      "try: ",
      { command: `kubectl --kubeconfig ${path} get namespaces` },
    ]);
  } finally {
    stop.abort();
  }
}

/** What runs, by the executors' inventory or read from the clusters. */
export async function readFleet(
  options: FleetOptions,
  terminal: Terminal,
): Promise<ReadonlyMap<string, ClusterSnapshot>> {
  if (options.kubeconfig !== undefined) {
    terminal.explain?.(() => `looks at ${options.clusters ?? "the current context"} of ${options.kubeconfig ?? ""}`);
    return observe(
      options.kubeconfig,
      options.clusters === undefined ? [{ name: "cluster" }] : parseChoices(options.clusters),
    );
  }
  const place = findBus(options, terminal);
  if (place === undefined) {
    throw refuseNowhere(" or --kubeconfig FILE");
  }
  return withBus(place, async (bus) => readBus(place, bus));
}
