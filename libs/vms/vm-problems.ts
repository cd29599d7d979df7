import { cleanLine } from "#libs/input";

import { showVm } from "./vm-order.ts";
import type { VmKeys, VmValue } from "./vm-keys.ts";

/** So many are named; the rest are counted. */
const mostNamed = 5;

/** `a, b and 3 more`. */
function nameSome(names: readonly string[]): string {
  const named = names.slice(0, mostNamed).map((name) => cleanLine(name, 80));
  const more = names.length - named.length;
  return named.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** What of KV `vms` is not of our form: keys, then values. */
export function describeForeign<Value>(kind: "report" | "tag", keys: VmKeys<Value>): readonly string[] {
  const isUnread = ({ value }: VmValue<Value>): boolean => value === undefined;
  const unread = [...keys.values.values()].filter(isUnread).map(({ vm }) => showVm(vm));
  const foreign = [...keys.foreignKeys];
  return [
    ...(foreign.length === 0 ? [] : [`keys of KV vms that name no VM are left out: ${nameSome(foreign)}`]),
    ...(unread.length === 0 ? [] : [`the ${kind} in KV vms is not of our form for ${nameSome(unread)}`]),
  ];
}
