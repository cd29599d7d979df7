/**
 * A part of a message. Texts are Slack's mrkdwn, at most 3,000 characters (a header is plain text of at most 150, a field has
 * at most 2,000); the renderer has escaped what people wrote.
 */
export type Block =
  | { readonly kind: "header"; readonly text: string }
  | { readonly kind: "section"; readonly text: string }
  /** At most ten, two on a line. */
  | { readonly kind: "fields"; readonly fields: readonly string[] }
  /** Small print. */
  | { readonly kind: "context"; readonly text: string };

/** What a message says. */
export interface Content {
  /** A full sentence: notifications and screen readers show only this. */
  readonly text: string;
  /** At most 50. */
  readonly blocks: readonly Block[];
}

/** Identifies a message of ours; invisible to people. */
export interface Marker {
  /** Unique within its channel, for ever. */
  readonly key: string;
  /** What is needed to continue the message; below 6,000 characters. */
  readonly note?: string;
}

export interface Draft extends Content {
  readonly marker: Marker;
  /** The root's id; absent = a message of the channel itself. */
  readonly thread?: string;
  /** The reply is shown in the channel, too. */
  readonly broadcast?: boolean;
}

/** A message of ours, found again. */
export interface Found {
  readonly id: string;
  readonly marker: Marker;
}

/**
 * One channel in which people are notified. Throws `ChatUnavailable` (try again later; a post may have been made, so look for
 * its marker first) or `ChatRefused` (a person must fix it). It tries nothing twice itself: only the caller can look first.
 */
export interface Chat {
  /** Returns the message's id. */
  post(draft: Draft): Promise<string>;
  /** Edits a message; false when it was deleted. */
  update(id: string, content: Content & { readonly marker: Marker }): Promise<boolean>;
  /** Our messages of the channel itself, younger than `ageMs` (real), newest first. */
  findRoots(ageMs: number): Promise<readonly Found[]>;
  /** Our messages of a thread, its first one included; empty when that was deleted. */
  readThread(root: string): Promise<readonly Found[]>;
}

/** Where channels are. */
export interface Workspace {
  /** By the channel's id, `C…`. Sends nothing before the first call. */
  open(channel: string): Chat;
  /** `#name` -> id; undefined when no channel of that name is visible. Throws as `Chat` does. */
  findChannel(name: string): Promise<string | undefined>;
}
