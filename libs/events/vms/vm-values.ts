import type { VmGroupRef, VmRef, VmReport } from "#libs/fleet";
import { formatVersion, isLabelName } from "#libs/input";
import { z } from "zod";

import { instant, line, matchJson, ownVersion, readJson, word } from "../forms.ts";

// KV `vms`. `reports.CLUSTER.NAMESPACE/GROUP/VM`: what an agent said last, written by the api. `tags.…`: the tag of a VM of
// its own, written by the executor of the cluster, read by the api. `groups.CLUSTER.NAMESPACE/GROUP`: the rows of one group
// for `meshroll get vms`, written by that executor.

/** A name in a key: of a WorkloadGroup, or of a VM, as Kubernetes takes names. Two dots in a row are no key of the bus. */
const name = /^[a-z0-9]+(?:-+[a-z0-9]+)*(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)*$/u;

/** Whether a group or a VM can have this name: words of small letters, digits and `-`, with dots between them, at most 128. */
export function isVmName(text: string): boolean {
  return text.length <= 128 && name.test(text);
}

/** The bus takes keys of at most so many characters. */
const longestKey = 255;

/** Whether the names of a VM, its group, namespace and cluster together fit into a key. */
export function hasVmKey(vm: VmRef): boolean {
  return nameVmKey("reports", vm).length <= longestKey;
}

/** Keys under which one kind of values lie, as a pattern; of all clusters without one. */
export function nameVmKeys(kind: "reports" | "tags" | "groups", cluster?: string): string {
  return cluster === undefined ? `${kind}.>` : `${kind}.${cluster}.>`;
}

export function nameGroupKey({ cluster, namespace, name: group }: VmGroupRef): string {
  return `groups.${cluster}.${namespace}/${group}`;
}

export function nameVmKey(kind: "reports" | "tags", { group, name: vm }: VmRef): string {
  return `${kind}.${group.cluster}.${group.namespace}/${group.name}/${vm}`;
}

const vmKey = /^(?:reports|tags)\.([^.]+)\.([^/]+)\/([^/]+)\/([^/]+)$/u;

/** The VM of a key `reports.…` or `tags.…`; undefined for a foreign key. */
export function readVmKey(key: string): VmRef | undefined {
  const [, cluster = "", namespace = "", group = "", vm = ""] = vmKey.exec(key) ?? [];
  const isOurs = isLabelName(cluster) && isLabelName(namespace) && isVmName(group) && isVmName(vm);
  return isOurs ? { group: { cluster, namespace, name: group }, name: vm } : undefined;
}

/** The size limit of a report or a tag. */
const mostValue = 8192;

const revision = word(256).nullable();

const report = z.object({
  version: ownVersion,
  at: instant,
  agent: word(64),
  address: word(64),
  tag: revision,
  revision,
  attempted: revision,
  inProgress: z.boolean(),
  ready: z.boolean(),
  code: z.string().regex(/^[A-Z][A-Za-z]{0,63}$/u, "must be one word in CamelCase"),
  message: line(400),
});

/** `by`: the registration whose credential it came with, for the api alone. */
export function printVmReport(value: VmReport, by?: string): string {
  return JSON.stringify({ version: formatVersion, ...value, ...(by === undefined ? {} : { by }) });
}

const reporter = z.object({ by: word(64) });

/** The registration that a report came with; undefined where it does not say. */
export function readVmReporter(text: string): string | undefined {
  return matchJson(reporter, text)?.by;
}

/** Undefined for a foreign value. */
export function readVmReport(text: string): VmReport | undefined {
  const read = readJson(report, text, mostValue);
  if (!read.ok) return undefined;
  const { version: _, ...value } = read.value;
  return value;
}

const tag = z.object({ version: ownVersion, revision: word(256), at: z.number().int().nonnegative() });

/** The tag of a VM: the revision, and when it was decided, epoch ms by the clock of the cluster's API server. */
export interface VmTag {
  readonly revision: string;
  readonly at: number;
}

export function printVmTag({ revision: to, at }: VmTag): string {
  // The time of an API server is worked out from a clock with fractions.
  return JSON.stringify({ version: formatVersion, revision: to, at: Math.floor(at) });
}

/** Undefined for a foreign value. */
export function readVmTag(text: string): VmTag | undefined {
  const read = readJson(tag, text, mostValue);
  return read.ok ? { revision: read.value.revision, at: read.value.at } : undefined;
}
