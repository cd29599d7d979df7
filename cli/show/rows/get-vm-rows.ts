import type { VmRow } from "#libs/events";

import { exitCodes } from "../../terminal/exit-codes.ts";
import { Refusal } from "../../terminal/refusal.ts";
import type { PublishedVms } from "../../read/read-vms.ts";
import type { Listing, Row } from "../listing.ts";

/** Which VMs are listed. */
interface Part {
  readonly cluster?: string;
  readonly namespace?: string;
  /** A group, `namespace/name` or `cluster:namespace/name`, or one VM. */
  readonly name?: string;
}

function nameGroup({ group: { namespace, name } }: PublishedVms): string {
  return `${namespace}/${name}`;
}

function isPart({ group }: PublishedVms, { cluster, namespace }: Part): boolean {
  return (cluster ?? group.cluster) === group.cluster && (namespace ?? group.namespace) === group.namespace;
}

/** The rows of the group that are asked for by the name; all of them without one. */
function pick(each: PublishedVms, name: string | undefined): readonly VmRow[] {
  const { vms } = each.rows;
  const group = nameGroup(each);
  if (name === undefined || name === group || name === `${each.group.cluster}:${group}`) return vms;
  return vms.filter((vm) => vm.name === name || `${group}/${vm.name}` === name);
}

/** What its agent said last, as far as it is more than that all is well. */
function describeSaid({ state, code = "-", message }: VmRow): string {
  return state === "ready" || message === undefined ? code : `${code}: ${message}`;
}

function makeRow(each: PublishedVms, vm: VmRow): Row {
  const { cluster } = each.group;
  const group = nameGroup(each);
  const { name, state, tag = "-", revision = "-", address = "-", code = "-" } = vm;
  return {
    name: `${cluster}:${group}/${name}`,
    cells: [cluster, group, name, tag, revision, state, code],
    wide: [address, describeSaid(vm)],
    item: { cluster, group, ...vm },
  };
}

/** How each group stands, and why its next VM waits. */
function describeGroup(each: PublishedVms, now: number): string {
  const { rows } = each;
  const { revision, allowed, vms, more = 0, wait, at } = rows;
  const count = (state: VmRow["state"]) => vms.filter((vm) => vm.state === state).length;
  const unavailable = count("upgrading") + count("failed") + count("unknown") + count("unhealthy");
  const wants = revision === undefined ? "nothing is written on it, so no VM is tagged" : `wants ${revision}`;
  const figures = `${count("ready")} of ${vms.length + more} VMs ready, ${unavailable} unavailable, at most ${allowed} may be`;
  const old = now - Date.parse(at) > 60_000 ? `; as of ${at}: its executor has published nothing since` : "";
  const unseen = more === 0 ? "" : `; ${more} more are not listed`;
  return `${each.group.cluster}:${nameGroup(each)} ${wants}: ${figures}${unseen}${wait === undefined ? "" : `; ${wait.message}`}${old}`;
}

/** A group without its VMs, which are the rows. */
function summariseGroup({ group, rows }: PublishedVms): object {
  const { vms: _, ...rest } = rows;
  return { ...group, ...rest };
}

/** VMs of the groups, those that need attention first in each group. */
export function listVms(all: readonly PublishedVms[], part: Part, now = Date.now()): Listing {
  const groups = all.filter((each) => isPart(each, part));
  const rows = groups.flatMap((each) => pick(each, part.name).map((vm) => makeRow(each, vm)));
  if (part.name !== undefined && rows.length === 0) {
    throw new Refusal(exitCodes.usage, `no group of VMs and no VM is called ${part.name}`, [
      { command: "meshroll get vms" },
    ]);
  }
  const shown = groups.filter((each) => pick(each, part.name).length > 0 || part.name === undefined);
  return {
    kind: "VmList",
    prefix: "vm",
    header: ["CLUSTER", "GROUP", "NAME", "TAG", "REVISION", "STATE", "SAYS"],
    spare: ["CLUSTER", "SAYS", "TAG"],
    wideHeader: ["ADDRESS", "REASON"],
    rows,
    notes: shown.map((each) => describeGroup(each, now)),
    summary: { groups: shown.map(summariseGroup) },
  };
}
