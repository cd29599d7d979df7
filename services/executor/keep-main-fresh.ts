import type { Mainline } from "#libs/mainline";
import type { Clock, Logger } from "#libs/runtime";

import { createChangeSignal } from "./change-signal.ts";
import type { ControlView } from "./follow-control.ts";

/** An executor reads main at least so often, real ms (rules 4.3). */
const fetchEveryMs = 60_000;
/** How often it looks whether control names something it lacks, real ms. */
const checkEveryMs = 500;

interface Parts {
  readonly mainline: Mainline;
  readonly control: ControlView;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onChange: () => void;
}

/** True when control names a main or ledger head that this process did not read yet. */
function isBehind({ mainline, control }: Parts): boolean {
  const view = mainline.view();
  const state = control.state();
  if (view === undefined) return true;
  return state !== undefined && (state.main !== view.main.head || state.ledger !== view.ledger?.head);
}

/** Fetches main and ledger when control names a commit that is lacking, and every minute. */
export async function keepMainFresh(parts: Parts, signal: AbortSignal): Promise<void> {
  const { mainline, clock, log, onChange } = parts;
  const pause = createChangeSignal(clock);
  let fetchedFor = "";
  while (!signal.aborted) {
    const state = parts.control.state();
    const named = `${state?.main ?? ""} ${state?.ledger ?? ""}`;
    const isOld = (mainline.view()?.main.ageMs ?? Number.POSITIVE_INFINITY) >= fetchEveryMs;
    // Fetching again for the same pair would find the same: main may already be newer than what control names.
    if (isOld || (isBehind(parts) && named !== fetchedFor)) {
      try {
        await mainline.refresh(signal);
        fetchedFor = named;
        onChange();
      } catch (error) {
        if (!signal.aborted) log.warn({ error }, "could not read main: nobody is moved on an old one");
      }
    }
    await pause.wait(checkEveryMs, signal);
  }
}
