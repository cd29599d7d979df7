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
  readonly onTurn?: (() => void) | undefined;
}

/** True when control names a main or ledger head that this process did not read yet. */
function isBehind({ mainline, control }: Parts): boolean {
  const view = mainline.view();
  const state = control.state();
  if (view === undefined) return true;
  return state !== undefined && (state.main !== view.main.head || state.ledger !== view.ledger?.head);
}

/** What control names, as one text: fetching twice for the same names would find the same. */
function nameWanted({ control }: Parts): string {
  const state = control.state();
  return `${state?.main ?? ""} ${state?.ledger ?? ""}`;
}

function isDue(parts: Parts, fetchedFor: string): boolean {
  const age = parts.mainline.view()?.main.ageMs ?? Number.POSITIVE_INFINITY;
  return age >= fetchEveryMs || (isBehind(parts) && nameWanted(parts) !== fetchedFor);
}

/** Answers whether main was read. */
async function refresh({ mainline, log, onChange }: Parts, signal: AbortSignal): Promise<boolean> {
  try {
    await mainline.refresh(signal);
    onChange();
    return true;
  } catch (error) {
    if (!signal.aborted) log.warn({ error }, "could not read main: nobody is moved on an old one");
    return false;
  }
}

/** Fetches main and ledger when control names a commit that is lacking, and every minute. */
export async function keepMainFresh(parts: Parts, signal: AbortSignal): Promise<void> {
  const pause = createChangeSignal(parts.clock);
  let fetchedFor = "";
  while (!signal.aborted) {
    parts.onTurn?.();
    const wanted = nameWanted(parts);
    if (isDue(parts, fetchedFor) && (await refresh(parts, signal))) fetchedFor = wanted;
    await pause.wait(checkEveryMs, signal);
  }
}
