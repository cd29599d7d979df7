import type { QueueTrouble, QueueUnavailable } from "#libs/queue";
import type { Clock } from "#libs/runtime";
import type { Reason } from "#libs/wording";

/** A Redis that refused a batch is tried again after so long, real ms. */
const tryAgainMs = 5_000;

/** Why Redis takes no batch, as far as this process saw. */
export interface QueueHealth {
  /** Undefined while nothing is known against it. */
  trouble(): Reason | undefined;
  /** A batch was refused. */
  failed(error: QueueUnavailable): void;
  /** What the server said of itself, when it was last looked at. */
  judged(problems: readonly QueueTrouble[]): void;
}

/** Those that keep a batch from being taken; the others may lose one. */
const keeping: readonly QueueTrouble["code"][] = [
  "QueueFull",
  "QueueLoginRefused",
  "QueueRightMissing",
  "QueueReadOnly",
];

function describe({ code, message, help }: QueueTrouble): Reason {
  return { code, message, help };
}

export function createQueueHealth(clock: Pick<Clock, "monotonic">): QueueHealth {
  let refused: { readonly trouble: QueueTrouble; readonly at: number } | undefined;
  let said: QueueTrouble | undefined;
  return {
    trouble() {
      if (said !== undefined) return describe(said);
      const stands = refused !== undefined && clock.monotonic() - refused.at < tryAgainMs;
      return stands && refused !== undefined ? describe(refused.trouble) : undefined;
    },
    failed({ trouble }) {
      refused = { trouble, at: clock.monotonic() };
    },
    judged(problems) {
      said = problems.find(({ code }) => keeping.includes(code));
    },
  };
}
