import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import type { Group } from "./group.ts";

/** When a campaign's rule asks for it the whole channel sees it, not only who follows the thread. */
export type Occasion = "failed" | "paused" | "approvalNeeded" | "completed";

/** Where a message stands: in the thread of a run, in the channel of a campaign, or in the notifier's own. */
export type Place = { readonly run: string } | { readonly campaign: string } | "channel";

/** One thing to do so that people know. */
export type Notification =
  /** The run's own message is there. */
  | { readonly kind: "root"; readonly run: string }
  /** The run's own message shows how it ended. */
  | { readonly kind: "finalRoot"; readonly run: string }
  /** One message, once. */
  | {
      readonly kind: "message";
      readonly place: Place;
      readonly key: string;
      readonly content: Content;
      readonly broadcast: Occasion | undefined;
    }
  /** A line in a message that grows in place; `unlessOpen`: not when any message of the family tells of it already. */
  | {
      readonly kind: "add";
      readonly place: Place;
      readonly family: string;
      readonly key: string;
      readonly id: string;
      readonly line: string;
      readonly render: (group: Group) => Content;
      readonly unlessOpen: boolean;
      readonly broadcast: Occasion | undefined;
    }
  /** The line of the family that is still open is over. */
  | {
      readonly kind: "end";
      readonly place: Place;
      readonly family: string;
      readonly id: string;
      readonly over: string;
      readonly render: (group: Group) => Content;
    }
  /** A stop outside of any run has a thread of its own. */
  | { readonly kind: "stop"; readonly data: EventData<"stopPlaced"> }
  /** In the thread of its stop; in the channel when it has none. */
  | { readonly kind: "overdue"; readonly stop: string; readonly content: Content }
  | {
      readonly kind: "resume";
      readonly stop: string;
      readonly data: EventData<"stopResumed">;
      readonly content: Content;
    };

/** What is true now, for judging whether a late message is still news. */
export interface Present {
  /** Undefined = unknown. */
  isOpen(run: string): boolean | undefined;
  isStopped(stop: string): boolean;
  /** A rollback of this scope is in force. */
  isRollingBack(scope: string): boolean;
  isWaiting(scope: string, code: string): boolean;
  isAway(cluster: string): boolean;
  /** The pull request of a stage is open. */
  isProposed(pull: number): boolean;
  /** The scope of a stop that is or was in force, as far as this process saw. */
  scopeOf(stop: string): string | undefined;
}
