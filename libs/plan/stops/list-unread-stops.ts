import { isStopScope } from "#libs/input";
import type { Spec, UnreadCampaign, Decision } from "../records/index.ts";
import type { ActiveStop } from "./active-stop.ts";
import { nameResume } from "#libs/wording";
import type { Finding } from "#libs/rollouts";

/** What a merge would break, and what it changes without putting it right: not what main has already. */
export interface NewlyUnread {
  readonly campaigns: readonly UnreadCampaign[];
  /** Why none of the campaigns is read any more. */
  readonly folder: Finding | undefined;
}

/** `changed`: paths that the merge changes; undefined `before` = main does not parse, so all of it is new. */
export function listNewlyUnread(
  before: UnreadHead | undefined,
  { unread = [], unreadFolder }: UnreadHead,
  changed: readonly string[],
): NewlyUnread {
  const known = new Set(before?.unread?.map(({ file }) => file));
  return {
    campaigns: unread.filter(({ file }) => changed.includes(file) || !known.has(file)),
    folder: before?.unreadFolder === undefined ? unreadFolder : undefined,
  };
}

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
