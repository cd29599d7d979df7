import { isStopScope, type StopScope } from "#libs/input";
import type { Spec, UnreadCampaign, Decision } from "../records/index.ts";
import type { ActiveStop } from "./active-stop.ts";
import { type FileError, printStopCause } from "#libs/wording";
import type { Finding } from "#libs/rollouts";

/** Findings that a merge adds, or leaves in a file that it changes; not those that main has already. */
export interface NewlyUnread {
  readonly campaigns: readonly UnreadCampaign[];
  /** Why no campaign can be read any more. */
  readonly folder: Finding | undefined;
}

/** `changed`: paths that the merge changes; undefined `before` = main does not parse, so all findings are new. */
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

/** Each unusable file, with its place and its finding. */
export function nameUnread(head: UnreadHead): readonly Wait[] {
  const { unreadFolder: folder } = head;
  const folders = folder === undefined ? [] : [wait("campaigns", "folder", folder.file, folder)];
  return [...folders, ...listStoppable(head).map(({ scope, file, finding }) => wait(scope, "file", file, finding))];
}

/** The part of main's head that tells which campaigns are held. */
export type UnreadHead = Pick<Spec, "unread" | "unreadFolder">;

/** Without those whose name is no valid scope: no campaign can have such a name, so no run belongs to it. */
function listStoppable({ unread = [] }: UnreadHead): readonly (UnreadCampaign & { readonly scope: StopScope })[] {
  return unread.flatMap((one) => {
    const scope = `campaign/${one.name}`;
    return isStopScope(scope) ? [{ ...one, scope }] : [];
  });
}

/** A pause of each campaign that cannot be read: it binds forward runs and stages, and no rollback. */
export function listUnreadStops(head: UnreadHead): readonly ActiveStop[] {
  return listStoppable(head).map(({ name, scope, file, finding }) => {
    const why = printStopCause({ code: "CampaignUnread", file, error: pickError(finding) });
    return { id: `unread-${name}`, scope, strength: "move", who: "main", why, at: "", from: "main", file };
  });
}
