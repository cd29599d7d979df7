import { placeSystemError } from "#libs/input";
import { type ClusterChoice, chooseClusters, type DirectOptions } from "../../options/cluster-choice.ts";
import { addOutputOption } from "../../options/output-option.ts";
import { findBus, withBus } from "../../read/with-bus.ts";
import { readSpec } from "../../read/read-spec.ts";
import { addRepositoryOption, type RepositoryOptions, withRepository } from "../../read/repository.ts";
import { readLedgerInUse } from "../../ledger/read-ledger-in-use.ts";
import { addVms, listVmUses, type VmUses } from "../../show/retirement/add-vms.ts";
import { judgeRetirement, type Retirement, type ClusterUsage } from "../../show/retirement/judge-retirement.ts";
import { printRetirement, renderRetirement } from "../../show/retirement/print-retirement.ts";
import type { Define } from "../../terminal/command.ts";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import { type Terminal, write } from "../../terminal/terminal.ts";
import { wrapSentences } from "../../text/wrap-text.ts";

interface Options extends RepositoryOptions, DirectOptions {
  readonly output: "human" | "json";
}

/** Every cluster is read with the caller's kubeconfig: executors publish neither Jobs without pods nor configuration. */
function requireClusters(options: Options, terminal: Terminal): readonly ClusterChoice[] {
  const choices = chooseClusters(options, terminal);
  if (choices.length > 0) return choices;
  const help = "give all clusters of the fleet: --clusters NAME[=CONTEXT],… and --kubeconfig FILE (MESHROLL_CLUSTERS)";
  throw new Refusal(exitCodes.usage, "no cluster is configured", help);
}

/** A cluster that cannot be read is recorded, and no certificate is given. */
async function readClusterUsage({ name, context, path }: ClusterChoice, revision: string): Promise<ClusterUsage> {
  const { readRevisionUsage } = await import("#libs/kube");
  const source = { ...(path === undefined ? {} : { path }), ...(context === undefined ? {} : { context }) };
  try {
    return { name, usage: await readRevisionUsage(source, revision) };
  } catch (error) {
    return { name, why: placeSystemError(error) };
  }
}

/**
 * No API server knows what a VM runs, and one that is off is connected to no istiod: executors publish it on the bus. Without one
 * that is named nothing is known of VMs, and nothing is said of them.
 */
async function readVmUses(revision: string, terminal: Terminal): Promise<VmUses> {
  const place = findBus({}, terminal);
  if (place === undefined) return new Map();
  const { readVmGroups } = await import("../../read/bus/read-vms.ts");
  try {
    return listVmUses(await withBus(place, readVmGroups), revision);
  } catch (error) {
    if (error instanceof Refusal) return { unread: `what VMs run: ${error.message}` };
    throw error;
  }
}

/** An unknown name is refused as a typo: a certificate for it would be misleading. */
function requireKnown({ revision, clusters, verdict }: Retirement): void {
  const isInstalled = clusters.some((each) => "usage" in each && each.usage.isInstalled);
  if (verdict !== "retired" || isInstalled) return;
  const help = ["see which there are:  ", { command: "meshroll get revisions" }];
  throw new Refusal(exitCodes.invalid, `no cluster has an injector of revision ${revision}: nothing to retire`, help);
}

const codes: Readonly<Record<Retirement["verdict"], number>> = {
  retired: 0,
  used: exitCodes.refused,
  unknown: exitCodes.unavailable,
};

async function retire(revision: string, options: Options, terminal: Terminal): Promise<Retirement> {
  const choices = requireClusters(options, terminal);
  return withRepository(options, terminal, async ({ repository, ledger, url }) => {
    const heads = await repository.fetch();
    const spec = await readSpec(repository, url, heads.main);
    const state = await readLedgerInUse(repository, ledger, heads);
    const vms = await readVmUses(revision, terminal);
    const read = await Promise.all(choices.map(async (choice) => readClusterUsage(choice, revision)));
    const clusters = read.map((each) => addVms(each, vms));
    return judgeRetirement(revision, clusters, { main: heads.main, spec, ledger: state });
  });
}

/** `meshroll retire REVISION`: lists its users in every cluster, or certifies that it can be uninstalled. */
export const define: Define = (command, { terminal, finish }) => {
  addRepositoryOption(addOutputOption(command, ["human", "json"]))
    .argument("<revision>", "the revision to uninstall, by its own name")
    .option("--kubeconfig <path>", "how to reach the clusters (default: MESHROLL_KUBECONFIG, kubectl's own)")
    .option("--clusters <list>", "all of the fleet: name[=context],… (default: MESHROLL_CLUSTERS)")
    .action(async (revision: string, options: Options) => {
      const retirement = await retire(revision, options, terminal);
      requireKnown(retirement);
      const told = `${wrapSentences(printRetirement(retirement), terminal).join("\n")}\n`;
      const json = `${JSON.stringify(renderRetirement(retirement), undefined, 2)}\n`;
      await write(terminal.stdout, options.output === "json" ? json : told);
      finish(codes[retirement.verdict]);
    });
};
