import { StoreUnavailable } from "#libs/artifact";
import type { AgentReason } from "#libs/wording";

import { decideNext, type Step } from "../decide/decide-next.ts";
import type { Facts } from "../decide/facts.ts";
import type { AgentState } from "../decide/state.ts";
import { makeReport } from "../report/report.ts";
import { readCurrent, readSlotManifest } from "../slots/slots.ts";
import { putBrokenStateAway, readState, writeState } from "../slots/state-file.ts";
import { act, type Acted } from "./act.ts";
import { gather } from "./gather.ts";
import { createMemory, type Memory, spreadPoll } from "./memory.ts";
import type { Parts } from "./parts.ts";

/** Ms between two turns: during a trial, and otherwise. */
const trialMs = 250;
const quietMs = 2_000;
/** Ms between two equal reports. */
const heartbeatMs = 30_000;
/** Longest time between two starts of a proxy that keeps ending, ms. */
const longestRestartMs = 60_000;

export interface Agent {
  /** Gathers, decides and does one step; returns it, and the ms until the next turn. */
  turn(signal?: AbortSignal): Promise<{ readonly step: Step | undefined; readonly waitMs: number }>;
}

interface Told {
  readonly key: string;
  readonly at: number;
}

async function loadState(parts: Parts): Promise<AgentState> {
  const { disk, places, warn } = parts;
  await disk.makeFolder(places.base);
  const { state, broken } = await readState(disk, places, async () => {
    const digest = await readCurrent(disk, places);
    const manifest = digest === undefined ? undefined : await readSlotManifest(disk, places, digest);
    return digest === undefined || manifest === undefined ? undefined : { digest, revision: manifest.revision };
  });
  if (broken) {
    warn({ file: places.state }, "the state file cannot be used: what runs is known from the live tree");
    await putBrokenStateAway(disk, places);
    await writeState(disk, places, state);
  }
  return state;
}

/** The wait after a step that could not be done: until the store is asked again, or longer with each restart. */
function chooseWait(step: Step, { state, because }: Acted, memory: Memory, parts: Parts): number {
  if (step.do === "restart") {
    memory.restarts += 1;
    return Math.min(longestRestartMs, 1000 * 2 ** Math.min(memory.restarts - 1, 10));
  }
  // The kept proxy is started again before more is fetched.
  if (step.do === "stage") memory.restarts = 0;
  if (step.do === "stage" && because !== undefined) {
    memory.failures += 1;
    return spreadPoll(parts.settings.pollMs, memory.failures, parts.random());
  }
  if (because === undefined) return 0;
  return state.trial === null ? quietMs : trialMs;
}

function explainStep(step: Step, facts: Facts): AgentReason {
  if (step.do === "wait") return step.because;
  if (step.do === "stage") return { code: "Installing", revision: step.artifact.manifest.revision };
  const { trial } = facts.state;
  if (trial?.back) return { code: "GoingBack", revision: trial.revision, failure: trial.back };
  return { code: "Settling", revision: trial?.revision ?? facts.state.kept?.revision ?? "" };
}

/** The agent of one VM. Each turn gathers everything again, so a turn that was cut short is repeated. */
export function createAgent(parts: Parts): Agent {
  const memory = createMemory();
  let state: AgentState | undefined;
  let told: Told | undefined;

  async function tell(current: AgentState, facts: Facts | undefined, reason: AgentReason): Promise<void> {
    const tag = facts?.tag.kind === "revision" ? facts.tag.revision : null;
    const seen = {
      now: parts.now(),
      version: parts.settings.version,
      tag,
      ready: (facts?.readyForMs ?? 0) > 0,
      reason,
    };
    const report = makeReport(current, seen);
    const key = JSON.stringify({ ...report, at: "" });
    const now = parts.monotonic();
    if (told?.key === key && now - told.at < heartbeatMs) return;
    told = { key, at: now };
    await parts.reporter.tell(report);
  }

  async function turn(signal?: AbortSignal) {
    state ??= await loadState(parts);
    const facts = await gather(parts, memory, state, signal);
    if (facts.readyForMs > 0) memory.restarts = 0;
    const step = decideNext(facts, parts.settings);
    // Long steps are reported before they begin.
    if (step.do === "stage") await tell(state, facts, explainStep(step, facts));
    const acted = await act({ parts, memory, facts, signal }, step);
    state = acted.state;
    await tell(state, facts, acted.because ?? explainStep(step, { ...facts, state }));
    return { step, waitMs: chooseWait(step, acted, memory, parts) };
  }

  return {
    async turn(signal) {
      try {
        return await turn(signal);
      } catch (error) {
        if (signal?.aborted === true || (error as Error).name === "NoRoot") throw error;
        const { code, message } = error as NodeJS.ErrnoException;
        // A disk error. What the last step wrote is not known, so the state is read again.
        if (code === undefined && !(error instanceof StoreUnavailable)) throw error;
        parts.warn({ error }, "the turn broke off; it is done again");
        if (state !== undefined) await tell(state, undefined, { code: "DiskFault", why: message });
        state = undefined;
        return { step: undefined, waitMs: spreadPoll(parts.settings.pollMs, 0, parts.random()) };
      }
    },
  };
}
