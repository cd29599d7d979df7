import { BusUnavailable, type KeyValue } from "#libs/bus";
import { type ControlState, printControlState, readControlState } from "#libs/events";
import { formatVersion } from "#libs/input";
import type { RepositorySnapshot } from "#libs/repository";
import { type Decision, nameDoubt } from "#libs/plan";
import type { Clock, Logger } from "#libs/runtime";

import { type Claim, isClaim, judgeControl } from "./judge-control.ts";

/** How loud a claim is told that git does not bear out. */
const levels = { wait: "warn", replace: "error" } as const;

type Wait = Extract<Decision, { readonly kind: "wait" }>;

/**
 * How often `state` is rewritten, real ms. Executors take it for unknown after 30 s (rules 7.2, 12.1), and one that has just started
 * moves nothing before it saw it change: one that is killed every few seconds must see that in each of its lives.
 */
const seedEveryMs = 2_000;

/** What executors are told: which main and ledger to have, and whether to move at all. */
function describeState({ ledger, main, doubt }: RepositorySnapshot, writer: string, beat: string): ControlState {
  const doubted = doubt === undefined ? {} : { ledgerDoubt: nameDoubt(doubt).code };
  const own = { version: formatVersion, beat, writer, ...doubted };
  const state = { ...own, main: main.head };
  if (ledger === undefined) return { ...state, seeded: false, sequence: 0 };
  return { ...state, ledger: ledger.head, seeded: main.contained, sequence: ledger.sequence };
}

/** A state that was replaced is told for so long, real ms. */
const tellMs = 600_000;

/** Tells executors which main and ledger to have, and that a planner lives. */
export interface ControlSeeder {
  /** Every 2 s, and at once when main or the ledger moved on. Answers whether `state` stands for this view. */
  readonly seed: (view: RepositorySnapshot) => Promise<boolean>;
  /**
   * After the bus was away this planner is another writer: what it reads back it did not see change, so executors publish
   * at once, as for one that has just started.
   */
  readonly renew: () => void;
  /** Watches `state`: a foreign write is handled at once. */
  readonly follow: (wake: () => void, signal: AbortSignal) => Promise<void>;
  /** What people read of a `state` that no planner can have written. */
  readonly waits: () => readonly Wait[];
}

interface Told {
  readonly claimed: string;
  readonly replacedAt: number | undefined;
}

function describeWait({ claimed, replacedAt }: Told): Wait {
  const reason = { code: "ControlForeign", claimed, isReplaced: replacedAt !== undefined } as const;
  return { kind: "wait", scope: "all", reason };
}

export function createControlSeeder(control: KeyValue, clock: Clock, log: Logger): ControlSeeder {
  // Two planners, or a restarted one, never write the same beat.
  const start = `${process.pid}-${Math.floor(clock.now())}`;
  let round = 0;
  let count = 0;
  let seededAt = Number.NEGATIVE_INFINITY;
  let written = "";
  /** The watch showed another text than this planner wrote last. */
  let isForeign = false;
  let seededFor = "";
  let claimedSince: number | undefined;
  let told: Told | undefined;
  /** Ledger commits that were claimed, and that git did not have. */
  const refused = new Set<string>();

  function measureClaim(state: ControlState | undefined, own: ControlState, { main }: RepositorySnapshot): Claim {
    const now = clock.monotonic();
    const isClaimed = state !== undefined && isClaim(state, own);
    if (!isClaimed) claimedSince = undefined;
    else claimedSince ??= now;
    const ageMs = now - (claimedSince ?? now);
    return { ageMs, isFetched: main.ageMs < ageMs, isKnown: refused.has(state?.ledger ?? "") };
  }

  function noteForeign(state: ControlState | undefined, verdict: "wait" | "replace"): void {
    const { ledger = "none", sequence = 0, writer } = state ?? {};
    const claimed = `ledger commit ${ledger.slice(0, 12)} (sequence ${sequence})`;
    const replacedAt = verdict === "replace" ? clock.monotonic() : undefined;
    const isNews = told?.claimed !== claimed || verdict === "replace";
    // While it may still come it is most likely another planner's, pushed since this one's last fetch: no fault yet.
    if (isNews) log[levels[verdict]]({ claimed, verdict, writer }, "KV control names a ledger that git does not have");
    told = { claimed, replacedAt };
    if (verdict === "replace") refused.add(ledger);
    if (refused.size > 1000) refused.clear();
  }

  /** What is to become of the state on the bus; a claim that git does not bear out is reported. */
  function judge(state: ControlState | undefined, own: ControlState, view: RepositorySnapshot) {
    const verdict = judgeControl(state, own, measureClaim(state, own, view));
    if (verdict === "wait" || verdict === "replace") noteForeign(state, verdict);
    else if (told?.replacedAt === undefined) told = undefined;
    return verdict;
  }

  function nameHeads({ main, ledger, doubt }: RepositorySnapshot): string {
    return `${round} ${main.head} ${ledger?.head ?? ""} ${doubt?.kind ?? ""}`;
  }

  /** This planner wrote for the same heads, a moment ago. */
  function isWritten(view: RepositorySnapshot): boolean {
    return nameHeads(view) === seededFor && clock.monotonic() - seededAt < seedEveryMs;
  }

  async function put(view: RepositorySnapshot, own: ControlState, revision: number): Promise<boolean> {
    count += 1;
    written = printControlState(own);
    if (!(await control.put("state", written, revision))) return false;
    seededAt = clock.monotonic();
    seededFor = nameHeads(view);
    return true;
  }

  async function seed(view: RepositorySnapshot): Promise<boolean> {
    if (isWritten(view) && !isForeign) return true;
    isForeign = false;
    const self = round === 0 ? start : `${start}-${round}`;
    // `beat` changes with every write: that is how executors see that a planner lives.
    const own = describeState(view, self, `${self}-${count + 1}`);
    const { value, revision = 0 } = (await control.get("state")) ?? {};
    const verdict = judge(value === undefined ? undefined : readControlState(value), own, view);
    if (verdict === "wait") return false;
    return verdict === "keep" && isWritten(view) ? true : put(view, own, revision);
  }

  function waits(): readonly Wait[] {
    const isOver = told?.replacedAt !== undefined && clock.monotonic() - told.replacedAt > tellMs;
    if (isOver) told = undefined;
    return told === undefined ? [] : [describeWait(told)];
  }

  async function follow(wake: () => void, signal: AbortSignal): Promise<void> {
    const onEntry = ({ value }: { readonly value?: string }): void => {
      if (value === written) return;
      isForeign = true;
      wake();
    };
    await control.watch("state", { onEntry, onReady: () => undefined, onReset: () => undefined }, signal);
  }

  /** A bus that refuses this one key keeps neither decisions nor the status, which says why. */
  async function trySeed(view: RepositorySnapshot): Promise<boolean> {
    try {
      return await seed(view);
    } catch (error) {
      if (error instanceof BusUnavailable) throw error;
      log.error({ error }, "executors are not told which main and ledger to have");
      return false;
    }
  }

  return { seed: trySeed, renew: () => void (round += 1), follow, waits };
}
