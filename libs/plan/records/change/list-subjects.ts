import { findNamed, lookUp } from "#libs/input";
import type { TransitionReason } from "#libs/wording";

import type { LedgerState } from "../ledger-state.ts";
import type { LedgerChange } from "./ledger-change.ts";

/** A transition before it is written. */
interface Transition {
  readonly change: LedgerChange;
  readonly reason: TransitionReason;
}

/** Scopes named in a reason, also in the answer to a verb. */
function listNamed(reason: TransitionReason): readonly string[] {
  const {
    refusal,
    missing,
    scopes = [],
    ...own
  } = { refusal: {}, missing: {}, ...reason } as {
    readonly refusal: Partial<Record<"run" | "scope", string>>;
    readonly missing: Partial<Record<"run" | "scope", string>>;
    readonly scopes?: readonly string[];
  } & Partial<Record<"run" | "scope" | "campaign" | "takenOverBy", string>>;
  const runs = [own.run, own.takenOverBy, refusal.run, missing.run].flatMap((id) => id ?? []);
  const campaigns = own.campaign === undefined ? [] : [`campaign/${own.campaign}`];
  const named = [own.scope, refusal.scope, missing.scope].flatMap((scope) => scope ?? []);
  return [...runs.map((id) => `run/${id}`), ...named, ...scopes, ...campaigns];
}

/** Whether the record only moved to or from the archive, which is not a subject of the transition. */
function isMoved(step: string): boolean {
  return step === "archived" || step === "restored";
}

function listChanged({ runs = [], stops = [], plans = [] }: LedgerChange): readonly string[] {
  return [
    ...runs.filter(({ steps }) => !steps.some(({ kind }) => isMoved(kind))).map(({ run }) => `run/${run.id}`),
    ...stops
      .filter(({ step }) => !isMoved(step))
      .flatMap(({ stop }) => [stop.scope, ...(stop.rollbackOf === undefined ? [] : [`run/${stop.rollbackOf}`])]),
    ...plans.map(({ plan }) => `campaign/${plan.campaign}`),
  ];
}

/** The scopes that a transition is about, for history: runs with their campaigns, stops, stages. */
export function listSubjects(ledger: LedgerState, { change, reason }: Transition): readonly string[] {
  const subjects = [...listChanged(change), ...listNamed(reason)];
  const changed = new Map(change.runs?.map(({ run }) => [run.id, run]));
  const campaigns = subjects.flatMap((scope) => {
    const id = findNamed("run", scope) ?? "";
    const { campaign } = changed.get(id) ?? lookUp(ledger.runs, id) ?? {};
    return campaign === undefined ? [] : [`campaign/${campaign}`];
  });
  return [...new Set([...subjects, ...campaigns])];
}
