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
  /** Absent = no SCM, so there are no comments. */
  readonly link?: ScmLink;
  /** Absent = `/meshroll rerender` is answered with what to do instead. */
  readonly rerenderer?: Rerenderer;
}

/**
 * Answers commands in comments, and publishes who is notified of what. A reconcile waits for neither the SCM nor the answers.
 */
export interface PeopleWatch {
  /** Takes the newest snapshot; resolves once the key `notify` is published. */
  notice(snapshot: Snapshot): Promise<void>;
  /** A webhook said that something changed. */
  wake(): void;
  /** Resolves after the signal aborted, once no write is in flight. */
  readonly done: Promise<void>;
}

/** Follows comments, if there is an SCM, and publishes who is notified of what, until the signal aborts. */
export function followPeople(parts: PeopleParts, signal: AbortSignal): PeopleWatch {
  const { bus, clock, log, link, rerenderer, leads } = parts;
  const [control, status] = [bus.bucket("control"), bus.bucket("status")];
  const publish = createNotifyPublisher(status, clock);
  // Comments are read from this time on. The sandbox's clock runs ahead of the machine's, and a test's may be years off:
  // with the earlier of the two no comment is missed.
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
