import { StoreUnavailable } from "#libs/artifact";
import type { AgentReason, SwitchFailure } from "#libs/wording";

import type { Facts } from "../decide/facts.ts";
import type { Step } from "../decide/decide-next.ts";
import { type AgentState, beginTrial, giveUp, keepTrial, turnBack } from "../decide/state.ts";
import { cleanSlots, isSlotWhole, removeSlot, stageSlot } from "../slots/slots.ts";
import { writeState } from "../slots/state-file.ts";
import type { Memory } from "./memory.ts";
import type { Parts } from "./parts.ts";
import { dropRules, restartKept, switchTo } from "./switch.ts";

/** The result of a step: the new state, and why to wait before the next one. */
export interface Acted {
  readonly state: AgentState;
  readonly because?: AgentReason;
}

interface Turn {
  readonly parts: Parts;
  readonly memory: Memory;
  readonly facts: Facts;
  readonly signal: AbortSignal | undefined;
}

async function save({ parts }: Turn, state: AgentState): Promise<Acted> {
  const next = { ...state, newestTime: Math.max(state.newestTime, parts.now()) };
  await writeState(parts.disk, parts.places, next);
  return { state: next };
}

async function stage({ parts, facts, signal }: Turn, { artifact }: Extract<Step, { do: "stage" }>): Promise<Acted> {
  const { state } = facts;
  const turnOver = AbortSignal.timeout(parts.settings.storeMs);
  const limit = signal === undefined ? turnOver : AbortSignal.any([turnOver, signal]);
  try {
    const because = await stageSlot(parts.disk, parts.places, parts.store, artifact, limit);
    return because === undefined ? { state } : { state, because };
  } catch (error) {
    // Slow, without an error: what was fetched stays, and the next turn continues.
    if (turnOver.aborted && signal?.aborted !== true) return { state };
    if (error instanceof StoreUnavailable) return { state, because: { code: "StoreUnavailable", why: error.message } };
    throw error;
  }
}

async function begin(turn: Turn, { to }: Extract<Step, { do: "begin" }>): Promise<Acted> {
  const { parts, facts } = turn;
  if (await isSlotWhole(parts.disk, parts.places, to.digest)) return save(turn, beginTrial(facts.state, to));
  // A slot that was changed since it was made: it is fetched again.
  parts.warn({ digest: to.digest }, "the slot is not what was signed: fetched again");
  await removeSlot(parts.disk, parts.places, to.digest);
  return { state: facts.state };
}

async function carryOut(turn: Turn, { trial }: Extract<Step, { do: "switch" }>): Promise<Acted> {
  const { parts, facts } = turn;
  const { state, failure } = await switchTo(parts, facts.state, trial);
  return failure === undefined ? { state } : fail(turn, state, failure);
}

async function fail(turn: Turn, state: AgentState, failure: SwitchFailure): Promise<Acted> {
  const { trial } = state;
  const isLast = trial === null || trial.back !== null || trial.from === null;
  return isLast ? giveUpAll(turn, state, failure) : save(turn, turnBack(state, failure));
}

async function keep(turn: Turn): Promise<Acted> {
  const { parts, memory, facts } = turn;
  const acted = await save(turn, keepTrial(facts.state));
  const { kept, previous } = acted.state;
  if (kept !== null) memory.kept = { digest: kept.digest, since: parts.monotonic() };
  const live = [kept, previous].flatMap((each) => (each === null ? [] : [each.digest]));
  await cleanSlots(parts.disk, parts.places, new Set(live));
  return acted;
}

/** Nothing is left to go back to: rules that lead to a broken proxy are removed, as before the first install. */
async function giveUpAll(turn: Turn, state: AgentState, failure: SwitchFailure): Promise<Acted> {
  return save(turn, giveUp(await dropRules(turn.parts, state), failure));
}

async function restart(turn: Turn, { kept }: Extract<Step, { do: "restart" }>): Promise<Acted> {
  const { state, failure } = await restartKept(turn.parts, turn.facts.state, kept.digest);
  return failure === undefined ? { state } : { state, because: { code: "NothingRuns", failure } };
}

/** Carries out one decision. Throws the disk's errors. */
export async function act(turn: Turn, step: Step): Promise<Acted> {
  const { state } = turn.facts;
  switch (step.do) {
    case "wait":
      return { state, because: step.because };
    case "stage":
      return stage(turn, step);
    case "begin":
      return begin(turn, step);
    case "switch":
      return carryOut(turn, step);
    case "keep":
      return keep(turn);
    case "turnBack":
      return save(turn, turnBack(state, step.because));
    case "giveUp":
      return giveUpAll(turn, state, step.because);
    case "restart":
      return restart(turn, step);
  }
}
