import type { Content } from "#libs/chat";
import type { EventData } from "#libs/events";

import type { Group } from "./group.ts";

/** Occasions for which a campaign's rule may ask that the whole channel sees the reply, not only followers of the thread. */
export type Occasion = "failed" | "paused" | "approvalNeeded" | "completed";

/** Where a message is posted: in a run's thread, in a campaign's channel, or in the notifier's own channel. */
export type Place = { readonly run: string } | { readonly campaign: string } | "channel";

/** One action that notifies people. */
export type Notification =
  /** The run's own message is posted. */
  | { readonly kind: "root"; readonly run: string }
  /** The run's own message shows its end. */
  | { readonly kind: "finalRoot"; readonly run: string }
  /** One message, posted once. */
  | {
      readonly kind: "message";
      readonly place: Place;
      readonly key: string;
      readonly content: Content;
      readonly broadcast: Occasion | undefined;
    }
  /** A line in a message that grows in place; `unlessOpen`: only where no message of the family has it already. */
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
  /** The family's open line is marked as over. */
  | {
      readonly kind: "end";
      readonly place: Place;
      readonly family: string;
      readonly id: string;
      readonly over: string;
      readonly render: (group: Group) => Content;
    }
  /** A stop that belongs to no run gets a thread of its own. */
  | { readonly kind: "stop"; readonly data: EventData<"stopPlaced"> }
  /** In the thread of its stop, or in the channel where it has none. */
  | { readonly kind: "overdue"; readonly stop: string; readonly content: Content }
  | {
      readonly kind: "resume";
      readonly stop: string;
      readonly data: EventData<"stopResumed">;
      readonly content: Content;
    };

/** The present state, for judging whether a late message is still news. */
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
  /** The scope of a stop that this process has seen, in force or ended. */
  scopeOf(stop: string): string | undefined;
  /** Where the page is served, as the newest status says. */
  readonly page: string | undefined;
}
