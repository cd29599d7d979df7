import { nameResume } from "#libs/wording";

import type { Decision } from "../records/index.ts";
import { listUnreadStops, type UnreadHead } from "./list-unread-stops.ts";

type Wait = Extract<Decision, { readonly kind: "wait" }>;

function wait(scope: string, message: string, command: string): Wait {
  return { kind: "wait", scope, reason: { code: "CampaignUnparsable", message, command } };
}

/** Each file that does not count, with its place and what shows the fault. */
export function nameUnread(head: UnreadHead): readonly Wait[] {
  const { unreadFolder: folder } = head;
  const folders =
    folder === undefined ? [] : [wait("campaigns", `${folder.file}: ${folder.message}`, "meshroll validate")];
  return [...folders, ...listUnreadStops(head).map((stop) => wait(stop.scope, stop.why, nameResume(stop)))];
}
