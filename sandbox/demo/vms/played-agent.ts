import { printVmReport } from "#libs/events";
import type { VmReport } from "#libs/fleet";
import type { Clock } from "#libs/runtime";
import { type AgentReason, printText, renderAgentReason } from "#libs/wording";

import { type DemoVm, oldRevision } from "./demo-groups.ts";

/** Between two reports, real ms. Freshness is counted in real time, whichever speed the clusters' clock has. */
const pollMs = 2000;
/** From a new tag until its proxy was ready for long enough, real ms. */
const installMs = 1200;

/** What a played agent talks to and through. */
export interface AgentWorld {
  /** Of the api. */
  readonly url: string;
  readonly joinToken: string;
  readonly clock: Clock;
  /** What its WorkloadEntry's probe finds. */
  readonly setHealth: (healthy: boolean) => void;
}

/** What an agent knows between two turns. */
interface AgentState {
  credential: string | undefined;
  tag: string | null;
  revision: string;
  attempted: string | null;
  /** What it installs now. */
  installing: string | undefined;
  /** A revision that did not work here. */
  givenUp: string | undefined;
}

function nameReason({ tag, revision, installing, givenUp }: AgentState): AgentReason {
  if (installing !== undefined) return { code: "Settling", revision: installing };
  if (tag === null) return { code: "TagUnset" };
  if (tag === givenUp) return { code: "Quarantined", revision: tag, failure: "ProxyNotReady" };
  return { code: "UpToDate", revision };
}

function makeReport(vm: DemoVm, state: AgentState, now: number): VmReport {
  const { tag, revision, attempted, installing } = state;
  const reason = nameReason(state);
  return {
    at: new Date(now).toISOString(),
    agent: "0.1.0",
    address: vm.address,
    tag,
    revision,
    attempted,
    inProgress: installing !== undefined,
    ready: installing === undefined,
    code: reason.code,
    message: printText(renderAgentReason(reason)),
  };
}

/** What a VM said last that was switched off a day before. */
export function makeLastReport(vm: DemoVm, now: number): VmReport {
  return makeReport(vm, { ...createState(), tag: oldRevision }, now - 26 * 3_600_000);
}

function createState(): AgentState {
  return {
    credential: undefined,
    tag: null,
    revision: oldRevision,
    attempted: null,
    installing: undefined,
    givenUp: undefined,
  };
}

type Answer = Readonly<Record<string, unknown>>;

/** Asks the api; undefined where it gives no good answer, as while it starts. */
async function ask(url: string, token: string, body: string, signal: AbortSignal): Promise<Answer | undefined> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  try {
    const answer = await fetch(url, { method: "POST", headers, body, signal });
    const text = await answer.text();
    return answer.ok ? (JSON.parse(text) as Answer) : undefined;
  } catch {
    // It does not answer: a real agent too keeps what runs, and asks again.
    return undefined;
  }
}

/**
 * Plays the agent of one VM until the signal aborts, over the wire of a real one: it registers with a join token, reports, and
 * installs what its tag says. Only the proxy is missing.
 */
export async function playAgent(vm: DemoVm, world: AgentWorld, signal: AbortSignal): Promise<void> {
  const { url, joinToken, clock, setHealth } = world;
  const state = createState();

  async function register(): Promise<void> {
    const body = JSON.stringify({ name: vm.name, address: vm.address });
    const credential = (await ask(`${url}/v1/vms/register`, joinToken, body, signal))?.["credential"];
    if (typeof credential === "string") state.credential = credential;
  }

  async function report(): Promise<void> {
    if (state.credential === undefined) return register();
    const body = printVmReport(makeReport(vm, state, clock.now()));
    const answer = await ask(`${url}/v1/vms/report`, state.credential, body, signal);
    if (answer === undefined) return;
    const { tag, credential } = answer;
    // No tag says nothing: the bus may have been wiped.
    if (typeof tag === "string") state.tag = tag;
    if (typeof credential === "string") state.credential = credential;
  }

  async function install(revision: string): Promise<void> {
    [state.installing, state.attempted] = [revision, revision];
    setHealth(false);
    await report();
    await clock.sleepReal(installMs, signal);
    state.installing = undefined;
    if (vm.isBroken && revision !== oldRevision) state.givenUp = revision;
    else [state.revision, state.givenUp] = [revision, undefined];
    setHealth(true);
    await report();
  }

  async function turn(): Promise<void> {
    await report();
    const { tag, revision, givenUp } = state;
    if (tag !== null && tag !== revision && tag !== givenUp) await install(tag);
  }

  while (!signal.aborted) {
    await turn().catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    await clock.sleepReal(pollMs, signal).catch(() => undefined);
  }
}
