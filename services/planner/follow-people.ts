import type { Bus } from "#libs/bus";
import type { World } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import type { Replanner } from "./comment-asks/answer-command.ts";
import { type CommentWatch, watchComments } from "./comment-asks/watch-comments.ts";
import { createNotifyPublisher } from "./publish-notify.ts";
import type { ForgeLink } from "./pull-requests/forge-link.ts";

export interface PeopleParts {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  /** Absent: no GitHub, so nobody comments there. */
  readonly link?: ForgeLink;
  /** Absent: `/meshroll replan` says what else to do. */
  readonly replanner?: Replanner;
}

/** What people say in comments, and who of them is told of what. It never holds a look up. */
export interface PeopleWatch {
  /** The newest look; resolves when the notifier can read who is told. */
  notice(world: World): Promise<void>;
  /** GitHub hinted that something changed. */
  wake(): void;
  /** Resolves after the signal aborted, when nothing is being written any more. */
  readonly done: Promise<void>;
}

/** Follows comments, where there is a GitHub, and publishes who is told of what, until the signal aborts. */
export function followPeople({ bus, clock, log, link, replanner }: PeopleParts, signal: AbortSignal): PeopleWatch {
  const [control, status] = [bus.bucket("control"), bus.bucket("status")];
  const publish = createNotifyPublisher(status, clock);
  // A sandbox's clock runs ahead of the machine's, and a test's stands in another year: the earlier one hides no comment.
  const wall = (): number => Math.min(Date.now(), clock.now());
  const watch = (of: ForgeLink): CommentWatch => {
    const { forge, pollMs } = of;
    return watchComments({ forge, control, status, clock, log, pollMs, replanner, wall }, signal);
  };
  const comments = link === undefined ? undefined : watch(link);
  return {
    async notice(world) {
      comments?.notice(world);
      await publish(world);
    },
    wake: () => comments?.wake(),
    done: comments?.done ?? Promise.resolve(),
  };
}
