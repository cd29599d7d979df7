import { findNamed, lookUp } from "#libs/input";
import type { CampaignStatus, FleetStatus, RunRecord } from "#libs/plan";

import { requireKnown } from "../../names/unknown-name.ts";
import type { Sentence } from "../../terminal/sentence.ts";
import { isNamed } from "./get-fleet-rows.ts";
import { isStageNamed } from "./get-status-rows.ts";
import { nameRevisions } from "./get-revision-rows.ts";
import type { FleetWorkloads } from "./narrow-view.ts";

const noCampaign: Sentence = ["main has no unfinished campaign:  ", { command: "meshroll start FILE" }, "  brings one"];

/** Refuses a name that is not in the planner's status: of a campaign; for batches also of a run, for holds also of a stop. */
export function requireStatusName(
  kind: "batches" | "campaigns" | "clusters" | "holds" | "stages",
  name: string,
  { campaigns = [], clusters, runs, stops }: FleetStatus,
): void {
  if (kind === "clusters")
    return requireKnown(
      "cluster",
      name,
      clusters.map((each) => each.name),
    );
  const run = findNamed("run", name);
  const ids = runs.map(({ id }) => id);
  if (kind === "batches" && run !== undefined) return requireKnown("run", run, ids, "no run is open");
  if (kind === "holds" && stops.some(({ id }) => id === name)) return undefined;
  const names = campaigns.map((each) => each.name);
  return kind === "stages" ? requireStage(name, campaigns) : requireKnown("campaign", name, names, noCampaign);
}

/** A campaign, or one of its stages. */
function requireStage(name: string, campaigns: readonly CampaignStatus[]): void {
  if (campaigns.some((each) => hasStage(each, name))) return;
  if (name.includes("/")) requireKnown("stage", name, listStageNames(campaigns), noCampaign);
  requireKnown(
    "campaign",
    name,
    campaigns.map((each) => each.name),
    noCampaign,
  );
}

function hasStage({ name, stages }: CampaignStatus, asked: string): boolean {
  return stages.some((stage) => isStageNamed(name, stage.name, asked));
}

export function listStageNames(campaigns: readonly CampaignStatus[]): readonly string[] {
  return campaigns.flatMap(({ name, stages }) => stages.map((stage) => `${name}/${stage.name}`));
}

/** Refuses an unknown run, or a campaign without runs that is not unfinished. */
export function requireRun(name: string, records: readonly RunRecord[], status: FleetStatus | undefined): void {
  const run = findNamed("run", name);
  const open = status?.runs.map(({ id }) => id) ?? [];
  if (run !== undefined)
    return requireKnown("run", run, [...records.map(({ id }) => id), ...open], "no run is recorded");
  const campaigns = [
    ...records.flatMap(({ campaign }) => campaign ?? []),
    ...(status?.campaigns ?? []).map((each) => each.name),
  ];
  return requireKnown("campaign", name, campaigns, "no campaign has a run");
}

function listNamespaces({ snapshot }: FleetWorkloads): readonly string[] {
  return [...snapshot.clusters.values()].flatMap(({ namespaces }) => [...namespaces.keys()]);
}

function isWorkloadNamed({ snapshot }: FleetWorkloads, name: string): boolean {
  return [...snapshot.clusters].some(([cluster, { namespaces }]) =>
    [...namespaces.values()].some(({ workloads }) =>
      workloads.some((workload) => isNamed({ cluster, workload }, name)),
    ),
  );
}

/** All names of a workload: its namespace, `Kind/name`, its name, and combinations. */
function listWorkloads({ snapshot }: FleetWorkloads): readonly string[] {
  return [...snapshot.clusters].flatMap(([cluster, { namespaces }]) =>
    [...namespaces.values()].flatMap(({ workloads }) =>
      workloads.flatMap(({ namespace, kind, name }) => {
        const key = `${namespace}/${kind}/${name}`;
        return [namespace, key, `${cluster}:${key}`, `${namespace}/${name}`, `${kind}/${name}`, name];
      }),
    ),
  );
}

/** Names by which failures and skipped workloads can be requested: campaigns and runs. */
function requireRunOrCampaign(name: string, { snapshot }: FleetWorkloads): void {
  const runs = snapshot.ledger?.runs ?? {};
  const open = [...(snapshot.specs.get(snapshot.main.head)?.campaigns.values() ?? [])].map((each) => each.name);
  if (lookUp(runs, name) !== undefined || open.includes(name)) return;
  requireRun(name, Object.values(runs), undefined);
}

/** Refuses a name that no cluster, file or record has. */
export function requireFleetName(
  kind: "drift" | "failures" | "namespaces" | "revisions" | "skipped" | "workloads",
  name: string,
  view: FleetWorkloads,
): void {
  switch (kind) {
    case "namespaces":
      return requireKnown("namespace", name, listNamespaces(view));
    case "revisions":
      return requireKnown("revision", name, nameRevisions(view));
    case "drift":
    case "workloads":
      return isWorkloadNamed(view, name)
        ? undefined
        : requireKnown("workload", name, [...listNamespaces(view), ...listWorkloads(view)]);
    case "failures":
    case "skipped":
      return requireRunOrCampaign(name, view);
  }
}
