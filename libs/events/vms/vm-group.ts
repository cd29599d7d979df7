import type { VmGroupRef, VmState } from "#libs/fleet";
import { formatVersion, isLabelName } from "#libs/input";
import { z } from "zod";

import { instant, line, ownVersion, readJson, word } from "../forms.ts";
import { isVmName } from "./vm-values.ts";

/** The size limit of a value on the bus. */
const mostGroup = 1 << 20;

/** Rows of one group; of more the number. */
export const mostVmRows = 3000;

const states = ["ready", "outdated", "upgrading", "failed", "unhealthy", "unknown", "absent"] as const;

const row = z.object({
  name: z.string().refine(isVmName, "must be the name of a VM"),
  state: z.enum(states satisfies readonly VmState[]),
  tag: word(256).exactOptional(),
  revision: word(256).exactOptional(),
  address: word(64).exactOptional(),
  /** What its agent said: the code of its reason, and the reason where it is more than that all is well. */
  code: word(64).exactOptional(),
  message: line(400).exactOptional(),
});

/** Why no further VM is upgraded now. */
const wait = z.object({ code: word(64), message: line(400), until: instant.exactOptional() });

const group = z.object({
  version: ownVersion,
  at: instant,
  /** What the group asks for; absent = nothing was written on it. */
  revision: word(256).exactOptional(),
  /** How many VMs may be unavailable at once. */
  allowed: z.number().int().nonnegative(),
  wait: wait.exactOptional(),
  /** Those that need attention first. */
  vms: z.array(row),
  /** VMs that are not among the rows; absent = none. */
  more: z.number().int().positive().exactOptional(),
});

export type VmRow = z.infer<typeof row>;

/** One group of VMs, for people. Nothing is decided by it. */
export type VmGroupRows = Readonly<Omit<z.infer<typeof group>, "version">>;

export function printVmGroup(value: VmGroupRows): string {
  return JSON.stringify({ version: formatVersion, ...value });
}

/** Undefined for a foreign value. */
export function readVmGroup(text: string): VmGroupRows | undefined {
  const read = readJson(group, text, mostGroup);
  if (!read.ok) return undefined;
  const { version: _, ...value } = read.value;
  return value;
}

/** The group of a key `groups.…`; undefined for a foreign key. */
export function readGroupKey(key: string): VmGroupRef | undefined {
  const [kind = "", cluster = "", ...rest] = key.split(".");
  const [namespace = "", name = "", ...more] = rest.join(".").split("/");
  const isOurs = kind === "groups" && more.length === 0 && isLabelName(cluster) && isLabelName(namespace);
  return isOurs && isVmName(name) ? { cluster, namespace, name } : undefined;
}
