/**
 * A part of a message. Texts are in Slack's mrkdwn, at most 3,000 characters (a header is plain text of at most 150,
 * a field has at most 2,000), and what people wrote is escaped by the renderer.
 */
export type Block =
  | { readonly kind: "header"; readonly text: string }
  | { readonly kind: "section"; readonly text: string }
  /** At most ten, two in a line. */
  | { readonly kind: "fields"; readonly fields: readonly string[] }
  /** Small print. */
  | { readonly kind: "context"; readonly text: string };

/** What a message says. */
export interface Content {
  /** A full sentence: notifications and screen readers have nothing else. */
  readonly text: string;
  /** At most 50. */
  readonly blocks: readonly Block[];
}

/** By what a message of ours is found again: people do not see it. */
export interface Marker {
  /** Names the message within its channel, for ever. */
  readonly key: string;
  /** What its writer must know to go on with it; below 6,000 characters. */
  readonly note?: string;
}

export interface Draft extends Content {
  readonly marker: Marker;
  /** The root's id; absent = a message of the channel itself. */
  readonly thread?: string;
  /** A reply that the channel shows, too. */
  readonly broadcast?: boolean;
}

/** A message of ours, found again. */
export interface Found {
  readonly id: string;
  readonly marker: Marker;
}

/**
 * One channel in which people are notified. Throws `ChatUnavailable` (again later; a post may have been made: look for its
 * marker first) or `ChatRefused` (a person must fix it). Nothing is tried twice in here: only the caller can look first.
 */
export interface Chat {
  /** Answers the message's id. */
  post(draft: Draft): Promise<string>;
  /** Edits a message; false when it was deleted. */
  update(id: string, content: Content & { readonly marker: Marker }): Promise<boolean>;
  /** Our messages of the channel itself that are younger than `ageMs` (real), newest first. */
  findRoots(ageMs: number): Promise<readonly Found[]>;
  /** Our messages of a thread, its root first; empty when the root was deleted. */
  readThread(root: string): Promise<readonly Found[]>;
}

/** Where channels are. */
export interface Workspace {
  /** By the channel's id, `C…`. Sends nothing before the first call. */
  open(channel: string): Chat;
  /** `#name` -> id; undefined when no channel of that name is visible. Throws as `Chat` does. */
  findChannel(name: string): Promise<string | undefined>;
}
