import { readHeard } from "#libs/events";
import { hearMs, type Snapshot } from "#libs/plan";
import type { Clock } from "#libs/runtime";

/** Which other planners write KV `control`, and what each reads. */
export interface PlannerEar {
  /** A text that stands under `state`, or came to stand there. */
  hear(text: string | undefined): void;
  /** What was there before is not known any more: the bus was away, or wiped. */
  forget(): void;
  heard(isOwn: (writer: string) => boolean): NonNullable<Snapshot["builds"]>;
}

interface Heard {
  readonly reads: number;
  /** Real monotonic ms. */
  readonly at: number;
}

/** More planners than ever run: who writes names without end makes this one forget the oldest. */
const mostPlanners = 100;

export function createPlannerEar(clock: Pick<Clock, "monotonic">): PlannerEar {
  const byWriter = new Map<string, Heard>();
  let since = clock.monotonic();
  return {
    hear(text) {
      const heard = text === undefined ? undefined : readHeard(text);
      if (heard === undefined) return;
      byWriter.delete(heard.writer);
      byWriter.set(heard.writer, { reads: heard.reads, at: clock.monotonic() });
      const [oldest] = byWriter.keys();
      if (byWriter.size > mostPlanners && oldest !== undefined) byWriter.delete(oldest);
    },
    forget: () => void (since = clock.monotonic()),
    heard(isOwn) {
      const now = clock.monotonic();
      const alive = [...byWriter].filter(([writer, { at }]) => now - at <= hearMs && !isOwn(writer));
      return { heardMs: now - since, planners: new Map(alive.map(([writer, { reads }]) => [writer, reads])) };
    },
  };
}
