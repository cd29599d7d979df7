import type { QueueTrouble, QueueUnavailable } from "#libs/queue";
import type { Clock } from "#libs/runtime";
import type { Reason } from "#libs/wording";

/** How long a refused batch counts, real ms; then Redis is tried again. */
const tryAgainMs = 5_000;

/** Why Redis accepts no batch, as far as this process saw. */
export interface QueueHealth {
  /** Undefined while no problem is known. */
  trouble(): Reason | undefined;
  /** Redis refused a batch. */
  failed(error: QueueUnavailable): void;
  /** The result of the last check of the server's settings. */
  judged(problems: readonly QueueTrouble[]): void;
}

/** Problems because of which Redis accepts no batch; with the others it may lose one. */
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
