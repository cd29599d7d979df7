import type { Bus } from "#libs/bus";
import type { Snapshot } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import type { Rerenderer } from "./comment-requests/answer-command.ts";
import { type CommentWatch, watchComments } from "./comment-requests/watch-comments.ts";
import { createNotifyPublisher } from "./publishing/publish-notify.ts";
import type { ScmLink } from "./pull-requests/scm-link.ts";

export interface PeopleParts {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  /** False while another planner may lead. */
  readonly leads: () => boolean;
  /** Absent: no GitHub, so there are no comments. */
  readonly link?: ScmLink;
  /** Absent: `/meshroll rerender` says what else to do. */
  readonly rerenderer?: Rerenderer;
}

/** What people say in comments, and who of them is told of what. It never holds a reconcile up. */
export interface PeopleWatch {
  /** The newest look; resolves when the notifier can read who is notified. */
  notice(snapshot: Snapshot): Promise<void>;
  /** GitHub hinted that something changed. */
  wake(): void;
  /** Resolves after the signal aborted, when nothing is being written any more. */
  readonly done: Promise<void>;
}

/** Follows comments, where there is a GitHub, and publishes who is notified of what, until the signal aborts. */
export function followPeople(parts: PeopleParts, signal: AbortSignal): PeopleWatch {
  const { bus, clock, log, link, rerenderer, leads } = parts;
  const [control, status] = [bus.bucket("control"), bus.bucket("status")];
  const publish = createNotifyPublisher(status, clock);
  // A sandbox's clock runs ahead of the machine's, and a test's stands in another year: the earlier one hides no comment.
  const wall = (): number => Math.min(Date.now(), clock.now());
  const watch = (of: ScmLink): CommentWatch => {
    const { scm, pollMs } = of;
    return watchComments({ scm, control, status, clock, log, pollMs, rerenderer, wall, leads }, signal);
  };
  const comments = link === undefined ? undefined : watch(link);
  return {
    async notice(snapshot) {
      comments?.notice(snapshot);
      await publish(snapshot);
    },
    wake: () => comments?.wake(),
    done: comments?.done ?? Promise.resolve(),
  };
}
