import type { VmGroupRef, VmRef } from "#libs/fleet";
import { isLabelName } from "#libs/input";
import { isVmName } from "#libs/events";
import { z } from "zod";

import { seal, unseal } from "./seal.ts";

/** The shortest key: fewer characters can be guessed. */
export const shortestVmKey = 32;

/** A join token: who has it may register VMs of one group until it expires. */
export interface JoinGrant {
  readonly group: VmGroupRef;
  /** Epoch ms. */
  readonly expires: number;
}

/** The credential of one VM. It does not expire: it ends with the key that signed it. */
export interface VmCredential {
  readonly vm: VmRef;
  /** Another one for each registration, so that two machines with one name are told apart. */
  readonly id: string;
}

const label = z.string().refine(isLabelName);
const name = z.string().refine(isVmName);
const group = { cluster: label, namespace: label, group: name };
const join = z.strictObject({ ...group, expires: z.number().int().nonnegative() });
const credential = z.strictObject({ ...group, name, id: z.string().regex(/^[\w-]{8,64}$/) });

export function printJoinToken(key: string, { group: { cluster, namespace, name: of }, expires }: JoinGrant): string {
  return seal(key, "meshroll-join", { cluster, namespace, group: of, expires });
}

/** `keys`: the newest, and the one before. Undefined for a text that none of them signed as a join token; it may have expired. */
export function readJoinToken(keys: readonly string[], token: string): JoinGrant | undefined {
  const { data } = join.safeParse(unseal(keys, "meshroll-join", token));
  if (data === undefined) return undefined;
  return { group: { cluster: data.cluster, namespace: data.namespace, name: data.group }, expires: data.expires };
}

export function printCredential(key: string, { vm, id }: VmCredential): string {
  const { cluster, namespace, name: of } = vm.group;
  return seal(key, "meshroll-vm", { cluster, namespace, group: of, name: vm.name, id });
}

/** As `readJoinToken`. */
export function readCredential(keys: readonly string[], token: string): VmCredential | undefined {
  const { data } = credential.safeParse(unseal(keys, "meshroll-vm", token));
  if (data === undefined) return undefined;
  const { cluster, namespace } = data;
  return { vm: { group: { cluster, namespace, name: data.group }, name: data.name }, id: data.id };
}
