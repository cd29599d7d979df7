import type { RepositorySnapshots } from "#libs/repository";
import type { Clock, Logger } from "#libs/runtime";

import type { ControlView } from "./follow-control.ts";

/** An executor fetches main at least this often, real ms (rules 4.3). */
const fetchEveryMs = 60_000;
/** How often it checks whether a fetch is due, real ms. */
const checkEveryMs = 500;

/**
 * First and longest pause before the next try, real ms: after a failed fetch, and after one without the commit that control
 * names.
 */
const failedRetryMs = [500, 5_000] as const;
const lackingRetryMs = [2_000, 60_000] as const;

interface Parts {
  readonly repositorySnapshots: RepositorySnapshots;
  readonly control: ControlView;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onChange: () => void;
  readonly onTurn?: (() => void) | undefined;
}

/**
 * True when control names a head of main or ledger that this process has not read, or while the ledger is doubted, which a new
 * commit may end.
 */
function isBehind({ repositorySnapshots, control }: Parts): boolean {
  const view = repositorySnapshots.view();
  const state = control.state();
  if (view === undefined || view.doubt !== undefined || state?.ledgerDoubt !== undefined) return true;
  return state !== undefined && (state.main !== view.main.head || state.ledger !== view.ledger?.head);
}

/** What control names, as one text to compare. */
function nameWanted({ control }: Parts): string {
  const state = control.state();
  return `${state?.main ?? ""} ${state?.ledger ?? ""} ${state?.ledgerDoubt ?? ""}`;
}

/** The last try, and when the next one is due. */
interface Tried {
  readonly wanted: string;
  /** Tries in a row that did not bring the wanted commit. */
  readonly times: number;
  /** Real monotonic ms. */
  readonly dueAt: number;
}

function isDue(parts: Parts, tried: Tried): boolean {
  const age = parts.repositorySnapshots.view()?.main.ageMs ?? Number.POSITIVE_INFINITY;
  const isNew = nameWanted(parts) !== tried.wanted;
  return (age >= fetchEveryMs || isBehind(parts)) && (isNew || parts.clock.monotonic() >= tried.dueAt);
}

/** Returns whether main was read. */
async function refresh({ repositorySnapshots, log, onChange }: Parts, signal: AbortSignal): Promise<boolean> {
  try {
    await repositorySnapshots.refresh(signal);
    onChange();
    return true;
  } catch (error) {
    if (!signal.aborted) log.warn({ error }, "could not read main: nothing moves on an old one");
    return false;
  }
}

/**
 * Fetches once. While the wanted commit is missing, the pauses grow: a server that comes back is not flooded, and one whose
 * replicas lag behind a push gets time to catch up.
 */
async function fetchFor(parts: Parts, tried: Tried, signal: AbortSignal, random: () => number): Promise<Tried> {
  const wanted = nameWanted(parts);
  const before = wanted === tried.wanted ? tried.times : 0;
  const wasRead = await refresh(parts, signal);
  const now = parts.clock.monotonic();
  if (wasRead && !isBehind(parts)) return { wanted, times: 0, dueAt: now };
  const [first, longest] = wasRead ? lackingRetryMs : failedRetryMs;
  const pauseMs = Math.min(longest, first * 2 ** before) * (1 + random() / 2);
  return { wanted, times: before + 1, dueAt: now + pauseMs };
}

/**
 * Fetches main and ledger every minute, and at once when control names a commit that is missing. The loop continues while a
 * fetch hangs: `onTurn` shows that the process is alive, and the last known state stays in use.
 */
export async function refreshMain(
  parts: Parts,
  signal: AbortSignal,
  random: () => number = Math.random,
): Promise<void> {
  const { repositorySnapshots, log } = parts;
  let tried: Tried = { wanted: "", times: 0, dueAt: Number.NEGATIVE_INFINITY };
  let isFetching = false;

  async function fetchAndNote(): Promise<void> {
    isFetching = true;
    tried = await fetchFor(parts, tried, signal, random);
    isFetching = false;
  }

  repositorySnapshots.recall().then(parts.onChange, (error: unknown) => {
    log.warn({ error }, "the previous process's clone cannot be read: nothing is known before git answers");
  });
  while (!signal.aborted) {
    parts.onTurn?.();
    if (!isFetching && isDue(parts, tried)) void fetchAndNote();
    await parts.clock.sleepReal(checkEveryMs, signal).catch(() => undefined);
  }
}
