import { countItems, type Group } from "../../facts/group.ts";

/** The lines of a message that grows in place, each with its end if it has one. */
export function listGroup(group: Group): readonly string[] {
  const lines = group.items.map(({ line, over }) => (over === undefined ? `• ${line}` : `• ~${line}~ ${over}`));
  return group.more === 0 ? lines : [...lines, `• … and ${group.more} more (${countItems(group)} in all)`];
}
