import { isStopScope, type StopScope } from "#libs/input";
import type { Spec, UnreadCampaign, Decision } from "../records/index.ts";
import type { ActiveStop } from "./active-stop.ts";
import { type FileError, printStopCause } from "#libs/wording";
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

function wait(scope: string, place: "file" | "folder", file: string, error: Finding): Wait {
  return { kind: "wait", scope, reason: { code: "CampaignUnparsable", in: place, file, error: pickError(error) } };
}

function pickError({ file, line, column, message }: Finding): FileError {
  return { file, line, column, message };
}

/** Each file that does not count, with its place and what shows the fault. */
export function nameUnread(head: UnreadHead): readonly Wait[] {
  const { unreadFolder: folder } = head;
  const folders = folder === undefined ? [] : [wait("campaigns", "folder", folder.file, folder)];
  return [...folders, ...listStoppable(head).map(({ scope, file, finding }) => wait(scope, "file", file, finding))];
}

/** The files of main's head, as far as they tell what is held. */
export type UnreadHead = Pick<Spec, "unread" | "unreadFolder">;

/** No campaign can have a name that is no scope, so no run is one of it. */
function listStoppable({ unread = [] }: UnreadHead): readonly (UnreadCampaign & { readonly scope: StopScope })[] {
  return unread.flatMap((one) => {
    const scope = `campaign/${one.name}`;
    return isStopScope(scope) ? [{ ...one, scope }] : [];
  });
}

/** A pause of each campaign that cannot be read: it binds the way forward of its runs, its stages, and no rollback. */
export function listUnreadStops(head: UnreadHead): readonly ActiveStop[] {
  return listStoppable(head).map(({ name, scope, file, finding }) => {
    const why = printStopCause({ code: "CampaignUnread", file, error: pickError(finding) });
    return { id: `unread-${name}`, scope, strength: "move", who: "main", why, at: "", from: "main", file };
  });
}
