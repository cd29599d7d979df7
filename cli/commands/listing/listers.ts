import { findNamed, lookUp } from "#libs/input";
import type { FleetStatus, LedgerState } from "#libs/plan";

import type { Kind } from "../../names/kinds.ts";
import type { PartOptions } from "../../names/part-options.ts";
import { requireKnown } from "../../names/unknown-name.ts";
import { readNow } from "../../read/planner-time.ts";
import { readLocalEvaluation, readStatus, type StatusOptions } from "../../read/status-source.ts";
import { readVmGroups } from "../../read/bus/read-vms.ts";
import { findBus, requireBus, withBus } from "../../read/with-bus.ts";
import { readLedger } from "../../requests/known-stops.ts";
import { listClusters } from "../../show/rows/get-cluster-rows.ts";
import { listDrift } from "../../show/rows/get-drift-rows.ts";
import { listNamespaces, listWorkloads } from "../../show/rows/get-fleet-rows.ts";
import { listFailures, listSkipped } from "../../show/rows/get-left-rows.ts";
import { listRevisions } from "../../show/rows/get-revision-rows.ts";
import { listRuns } from "../../show/rows/get-run-rows.ts";
import { listBatches, listCampaigns, listHolds, listStages } from "../../show/rows/get-status-rows.ts";
import { listVms } from "../../show/rows/get-vm-rows.ts";
import { type FleetView, narrowView } from "../../show/rows/narrow-view.ts";
import { requireFleetName, requireRun, requireStatusName } from "../../show/rows/require-name.ts";
import type { Listing } from "../../show/listing.ts";
import type { Terminal } from "../../terminal/terminal.ts";

/** Where a listing is read, and of which part. */
export interface ListOptions extends StatusOptions, PartOptions {}

/** How a kind is listed: from the planner's status, or from file, ledger and inventory. */
type Lister = (options: ListOptions, terminal: Terminal, name: string | undefined) => Promise<Listing>;

type StatusLister = (status: FleetStatus, name: string | undefined, cluster?: string) => Listing;

function fromStatus(kind: "batches" | "campaigns" | "clusters" | "holds" | "stages", list: StatusLister): Lister {
  return async (options, terminal, name) => {
    const status = await readStatus(options, terminal);
    if (name !== undefined) requireStatusName(kind, name, status);
    const clusters = status.clusters.map((each) => each.name);
    if (options.cluster !== undefined) requireKnown("cluster", options.cluster, clusters);
    return list(status, name, options.cluster);
  };
}

type FleetKind = "drift" | "failures" | "namespaces" | "revisions" | "skipped" | "workloads";

/** The part of the fleet that the options name; refuses names that nothing has. */
export async function readPart(
  kind: FleetKind,
  options: ListOptions,
  terminal: Terminal,
  name: string | undefined,
): Promise<FleetView> {
  const view = await readLocalEvaluation(options, terminal);
  const { cluster, namespace, selector: labels } = options;
  if (cluster !== undefined) requireKnown("cluster", cluster, view.snapshot.clusters.keys());
  if (namespace !== undefined) requireFleetName("namespaces", namespace, view);
  if (name !== undefined) requireFleetName(kind, name, view);
  return narrowView(view, {
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
  });
}

function fromFleet(kind: FleetKind, list: (view: FleetView, name: string | undefined) => Listing): Lister {
  return async (options, terminal, name) => list(await readPart(kind, options, terminal, name), name);
}

/** @internal With the named run as the archive has it: what failed in a run stands only in its whole record. */
export async function recallNamed(
  view: FleetView,
  name: string | undefined,
  recall: (run: string) => Promise<LedgerState | undefined>,
): Promise<FleetView> {
  const { ledger } = view.snapshot;
  const record = lookUp(ledger?.runs, findNamed("run", name) ?? name ?? "");
  if (ledger === undefined || record?.archived !== "facts") return view;
  const whole = lookUp((await recall(record.id))?.runs, record.id);
  if (whole === undefined) return view;
  const runs = { ...ledger.runs, [record.id]: whole };
  return { ...view, snapshot: { ...view.snapshot, ledger: { ...ledger, runs } } };
}

async function listRunFailures(options: ListOptions, terminal: Terminal, name: string | undefined): Promise<Listing> {
  const part = await readPart("failures", options, terminal, name);
  const view = await recallNamed(part, name, async (run) => readLedger(options, terminal, [run]));
  return listFailures(view, name);
}

/** The ledger, with a named run read whole, and the status as far as it says more. */
export interface RecordedRuns {
  readonly ledger: LedgerState | undefined;
  readonly status: FleetStatus | undefined;
  /** Epoch ms of the planner's clock, for ages where the status is not read. */
  readonly nowMs?: number;
}

export async function readRecorded(
  options: ListOptions,
  terminal: Terminal,
  name: string | undefined,
): Promise<RecordedRuns> {
  const named = findNamed("run", name);
  const ledger = await readLedger(options, terminal, named === undefined ? [] : [named]);
  const records = Object.values(ledger?.runs ?? {});
  // The ledger has every run; the progress of an open one is in the status only.
  const hasSource = findBus(options, terminal) !== undefined || options.kubeconfig !== undefined;
  const needsStatus = ledger === undefined || (hasSource && records.some(({ state }) => state === "open"));
  const status = needsStatus ? await readStatus(options, terminal) : undefined;
  if (name !== undefined) requireRun(name, records, status);
  return status === undefined ? { ledger, status, nowMs: await readNow(options, terminal) } : { ledger, status };
}

async function listRecorded(options: ListOptions, terminal: Terminal, name: string | undefined): Promise<Listing> {
  const { ledger, status, nowMs } = await readRecorded(options, terminal, name);
  return listRuns(ledger, status, name, nowMs);
}

/** VMs are read from the bus: neither the inventory nor the status names them. */
async function listAllVms(options: ListOptions, terminal: Terminal, name: string | undefined): Promise<Listing> {
  const groups = await withBus(requireBus(options, terminal), readVmGroups);
  return listVms(groups, { ...options, ...(name === undefined ? {} : { name }) });
}

/** How each kind is listed. */
export const listers = {
  campaigns: fromStatus("campaigns", listCampaigns),
  stages: fromStatus("stages", listStages),
  runs: listRecorded,
  batches: fromStatus("batches", listBatches),
  clusters: fromStatus("clusters", listClusters),
  namespaces: fromFleet("namespaces", listNamespaces),
  workloads: fromFleet("workloads", listWorkloads),
  vms: listAllVms,
  holds: fromStatus("holds", listHolds),
  failures: listRunFailures,
  skipped: fromFleet("skipped", listSkipped),
  drift: fromFleet("drift", listDrift),
  revisions: fromFleet("revisions", listRevisions),
} satisfies Readonly<Record<Exclude<Kind, "fleet">, Lister>>;
