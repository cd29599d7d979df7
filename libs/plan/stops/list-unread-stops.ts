import { isStopScope } from "#libs/input";

import type { Spec, UnreadCampaign } from "../records/index.ts";
import type { ActiveStop } from "./active-stop.ts";

/** The files of main's head, as far as they tell what is held. */
export type UnreadHead = Pick<Spec, "unread" | "unreadFolder">;

function explain({ file, finding }: UnreadCampaign): string {
  const place = `${finding.file}:${finding.line}:${finding.column} ${finding.message}`;
  return `${file} has errors (${place}): nothing of this campaign moves forward or is proposed`;
}

/** A pause of each campaign that cannot be read: it binds the way forward of its runs, its stages, and no rollback. */
export function listUnreadStops({ unread = [] }: UnreadHead): readonly ActiveStop[] {
  return unread.flatMap((one) => {
    const scope = `campaign/${one.name}`;
    // No campaign can have another name, so no run is one of it.
    if (!isStopScope(scope)) return [];
    const id = `unread-${one.name}`;
    const { file } = one;
    return [{ id, scope, strength: "move", who: "main", why: explain(one), at: "", from: "main", file }];
  });
}
