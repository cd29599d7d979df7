import type { Decision } from "../records/index.ts";
import { nameResume } from "./name-resume.ts";
import { listUnreadStops, type UnreadHead } from "./list-unread-stops.ts";

/** Each file that is not gone by, with its place and what shows the fault. */
export function nameUnread(head: UnreadHead): readonly Extract<Decision, { readonly kind: "wait" }>[] {
  const [code, owner] = ["CampaignUnparsable", "who merged it last"];
  const { unreadFolder } = head;
  const folder =
    unreadFolder === undefined
      ? []
      : [
          {
            scope: "campaigns",
            message: `${unreadFolder.file}: ${unreadFolder.message}`,
            command: "meshroll validate",
          },
        ];
  const files = listUnreadStops(head).map((stop) => ({
    scope: stop.scope,
    message: stop.why,
    command: nameResume(stop),
  }));
  return [...folder, ...files].map(({ scope, ...said }) => ({ kind: "wait", scope, reason: { code, owner, ...said } }));
}
