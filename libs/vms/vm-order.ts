import type { Vm, VmRef } from "#libs/fleet";

/** A VM's name in its cluster. Its order as text is that of namespace, group, VM: no name has a character below this one. */
export function nameVm({ group, name }: VmRef): string {
  return `${group.namespace}\u0000${group.name}\u0000${name}`;
}

/** A VM for people: `payments/ledger/vm-1`. */
export function showVm({ group, name }: VmRef): string {
  return `${group.namespace}/${group.name}/${name}`;
}

/** By namespace, group and name, for values by `nameVm`. */
export function sortVms(byName: ReadonlyMap<string, Vm>): readonly Vm[] {
  return [...byName].sort(([one], [other]) => (one < other ? -1 : Number(one > other))).map(([, vm]) => vm);
}
