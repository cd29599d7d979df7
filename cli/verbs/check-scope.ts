import { findNamed, findScopeKind } from "#libs/input";
import type { Bus } from "#libs/bus";
import type { FleetStatus, StopScope } from "#libs/plan";

import { exitCodes } from "../terminal/exit-codes.ts";
import { Refusal } from "../terminal/refusal.ts";
import { isCurrent } from "../read/read-published.ts";
import { lookAtClusters } from "../read/read-clusters.ts";

/** Clusters that published anything, in a version of a newer build too: an alarm must not wait for a newer command line. */
async function listNames(bus: Bus): Promise<readonly string[]> {
  const { facts, newer } = await lookAtClusters(bus);
  return [...facts.keys(), ...newer.keys()].toSorted();
}

/** True when any cluster has published the namespace. */
async function hasNamespace(bus: Bus, name: string): Promise<boolean> {
  const stop = new AbortController();
  let isFound = false;
  const watcher = {
    onEntry: ({ value }: { readonly value?: string }) => void (isFound ||= value !== undefined),
    onReady: () => undefined,
    onReset: () => undefined,
  };
  try {
    await bus.bucket("inventory").watch(`*.${name}`, watcher, stop.signal);
    return isFound;
  } finally {
    stop.abort();
  }
}

/** Why a scope names nothing, and what would. */
export interface UnknownScope {
  readonly message: string;
  readonly help: string;
}

function listSome(names: readonly string[]): string {
  return names.slice(0, 10).join(", ") + (names.length > 10 ? `, and ${names.length - 10} more` : "");
}

/** Nothing known is no knowledge: then every name may be right. */
function missAmong(scope: string, name: string, names: readonly string[]): UnknownScope | undefined {
  if (names.length === 0 || names.includes(name)) return undefined;
  return { message: `there is no ${scope}`, help: `known: ${listSome(names)}` };
}

async function missNamespace(bus: Bus, scope: string, name: string): Promise<UnknownScope | undefined> {
  if (await hasNamespace(bus, name)) return undefined;
  // An empty bus knows nothing.
  if ((await listNames(bus)).length === 0) return undefined;
  return { message: `no cluster has a ${scope}`, help: "all  is the whole fleet" };
}

/** A name without its kind is taken for a campaign's, and may have been a cluster's. */
async function missCampaign(
  bus: Bus,
  scope: string,
  name: string,
  { campaigns }: Pick<FleetStatus, "campaigns">,
): Promise<UnknownScope | undefined> {
  if (campaigns === undefined || campaigns.some((each) => each.name === name)) return undefined;
  const message = `there is no ${scope}`;
  if ((await listNames(bus)).includes(name)) return { message, help: `a cluster is called so: say  cluster/${name}` };
  const names = campaigns.map((each) => each.name);
  return { message, help: names.length === 0 ? "main has no campaign" : `known: ${listSome(names)}` };
}

/** Why nothing has this name, as far as bus and planner know; undefined when something has it, or when that is unknown. */
export async function findUnknown(
  bus: Bus,
  scope: StopScope,
  status: FleetStatus | undefined,
): Promise<UnknownScope | undefined> {
  const current = [status].find((each) => each !== undefined && isCurrent(each));
  const kind = findScopeKind(scope);
  if (kind === undefined || kind === "all") return undefined;
  const name = findNamed(kind, scope) ?? "";
  if (kind === "cluster") return missAmong(scope, name, await listNames(bus));
  if (kind === "namespace") return missNamespace(bus, scope, name);
  if (current === undefined) return undefined;
  if (kind === "campaign") return missCampaign(bus, scope, name, current);
  const buckets = current.where.map(({ bucket }) => bucket);
  return kind === "bucket" ? missAmong(scope, name, buckets) : undefined;
}

function missOpenRun(scope: string, status: FleetStatus | undefined): UnknownScope | undefined {
  const run = findNamed("run", scope);
  if (status === undefined || !isCurrent(status) || run === undefined) return undefined;
  const open = status.runs.map(({ id }) => id);
  if (open.includes(run)) return undefined;
  const known = open.length === 0 ? "no run is open" : `open: ${listSome(open.map((id) => `run/${id}`))}`;
  return { message: `${scope} is not open`, help: `${known};  all  stops everything` };
}

/**
 * A stop with a slip of the pen in its scope would say "stopped" and stop nothing: what is known not to exist is refused.
 * What is unknown now (no planner, an empty bus) passes: an alarm must not wait for knowledge.
 */
export async function checkScope(bus: Bus, scope: StopScope, status: FleetStatus | undefined): Promise<void> {
  const unknown = missOpenRun(scope, status) ?? (await findUnknown(bus, scope, status));
  if (unknown === undefined) return;
  throw new Refusal(exitCodes.invalid, `${unknown.message}: nothing would be stopped`, unknown.help);
}
