import { findNamed, lookUp } from "#libs/input";
import type { TransitionReason } from "#libs/wording";

import type { LedgerState } from "../ledger-state.ts";
import type { LedgerChange } from "./ledger-change.ts";

/** A transition, before it is written. */
interface Transition {
  readonly change: LedgerChange;
  readonly reason: TransitionReason;
}

/** What a reason names: also where nothing changes but the answer to a verb. */
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

/** What goes to the archive or comes back from there is not what the transition is about. */
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

/** Scopes that a transition is about, each once: runs with their campaigns, stops, stages. By them history finds it again. */
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
