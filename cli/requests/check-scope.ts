import { findNamed, findScopeKind, suggestWord } from "#libs/input";
import type { Bus } from "#libs/bus";
import type { FleetStatus, StopScope } from "#libs/plan";

import { exitCodes } from "../terminal/exit-codes.ts";
import { describeUnknown, listSome, type Named, type UnknownName } from "../names/unknown-name.ts";
import { Refusal } from "../terminal/refusal.ts";
import { isCurrent } from "../read/read-published.ts";
import { listNamespaces, readAllClusters } from "../read/bus/read-clusters.ts";

/** Clusters that published anything, in any version: a pause must not wait for another build. */
async function listClusterNames(bus: Bus): Promise<readonly string[]> {
  const { facts, otherVersions } = await readAllClusters(bus);
  return [...facts.keys(), ...otherVersions.keys()].toSorted();
}

/** Undefined where nothing is known: every name may be right then. */
function findUnknownAmong(kind: Named, name: string, names: readonly string[]): UnknownName | undefined {
  return names.length === 0 || names.includes(name) ? undefined : describeUnknown(kind, name, names);
}

/** An unknown namespace, with those that exist; undefined also where no namespace is known. */
export async function findUnknownNamespace(bus: Bus, name: string): Promise<UnknownName | undefined> {
  if ((await listNamespaces(bus, `*.${name}`)).length > 0 || (await listClusterNames(bus)).length === 0)
    return undefined;
  // All names are read only where this one does not exist.
  return describeUnknown("namespace", name, await listNamespaces(bus, ">"));
}

/** A name without a kind is taken for a campaign's, but may be meant as a cluster's. */
async function findUnknownCampaign(
  bus: Bus,
  name: string,
  { campaigns }: Pick<FleetStatus, "campaigns">,
): Promise<UnknownName | undefined> {
  if (campaigns === undefined || campaigns.some((each) => each.name === name)) return undefined;
  const names = campaigns.map((each) => each.name);
  const unknown = describeUnknown("campaign", name, names, "main has no campaign");
  if (!(await listClusterNames(bus)).includes(name)) return unknown;
  return { ...unknown, help: [`a cluster has this name: say  --cluster ${name}`] };
}

/** A status that is too old says nothing about what exists now. */
function keepCurrent(status: FleetStatus | undefined): FleetStatus | undefined {
  return status !== undefined && isCurrent(status) ? status : undefined;
}

/** Why the name is unknown, as far as bus and planner show; undefined when it exists, or when that is not known. */
export async function findUnknown(
  bus: Bus,
  scope: StopScope,
  status: FleetStatus | undefined,
): Promise<UnknownName | undefined> {
  const current = keepCurrent(status);
  const kind = findScopeKind(scope);
  if (kind === undefined || kind === "all") return undefined;
  const name = findNamed(kind, scope) ?? "";
  if (kind === "cluster") return findUnknownAmong(kind, name, await listClusterNames(bus));
  if (kind === "namespace") return findUnknownNamespace(bus, name);
  if (current === undefined) return undefined;
  if (kind === "campaign") return findUnknownCampaign(bus, name, current);
  const buckets = current.where.map(({ bucket }) => bucket);
  return kind === "bucket" ? findUnknownAmong(kind, name, buckets) : undefined;
}

/** Why no run of this scope is open; undefined where one is, or where that is not known. */
function describeClosedRun(scope: string, status: FleetStatus | undefined): UnknownName | undefined {
  const run = findNamed("run", scope);
  const current = keepCurrent(status);
  if (current === undefined || run === undefined) return undefined;
  const open = current.runs.map(({ id }) => id);
  if (open.includes(run)) return undefined;
  const known = open.length === 0 ? "no run is open" : `open: ${listSome(open.map((id) => `run/${id}`))}`;
  const near = suggestWord(run, open);
  const guess = near === undefined ? [] : [`did you mean run/${near}?`];
  return { message: `${scope} is not open`, help: [...guess, `${known};  all  stops everything`] };
}

/**
 * Refuses a stop with a misspelt scope, which would report "stopped" and stop nothing. Where it is not known what exists (no
 * planner, an empty bus), the stop is placed.
 */
export async function checkScope(bus: Bus, scope: StopScope, status: FleetStatus | undefined): Promise<void> {
  const unknown = describeClosedRun(scope, status) ?? (await findUnknown(bus, scope, status));
  if (unknown === undefined) return;
  throw new Refusal(exitCodes.invalid, `${unknown.message}: nothing would be stopped`, ...unknown.help);
}
