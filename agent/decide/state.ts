import type { SwitchFailure } from "#libs/wording";

/** An artifact by its digest, and its revision. */
export interface Named {
  readonly digest: string;
  readonly revision: string;
}

/** A switch that is neither kept nor taken back yet. */
export interface Trial extends Named {
  /** The artifact before; null on a new VM. */
  readonly from: Named | null;
  /** The failure that this switch takes back; null on the way forward. */
  readonly back: SwitchFailure | null;
  /** The boot in which its proxy was started last; null before that. A power cut ends processes without being their fault. */
  readonly launchedIn: string | null;
  /** How often it was started. */
  readonly launches: number;
}

/** What the agent stores, in one file; without what the disk and the processes show themselves. */
export interface AgentState {
  readonly formatVersion: 1;
  /** The artifact that was kept last, after being ready for long enough. */
  readonly kept: Named | null;
  /** The one kept before. */
  readonly previous: Named | null;
  readonly trial: Trial | null;
  /** The slot whose iptables rules may be active; null = none. */
  readonly rulesOf: string | null;
  /** The last switch that was begun; it may have failed. */
  readonly attempted: Named | null;
  /** Revisions that were kept, newest last, for artifacts that require an earlier one. */
  readonly succeeded: readonly string[];
  /** Artifacts that were tried and failed: not tried again. */
  readonly failed: readonly (Named & { readonly failure: SwitchFailure })[];
  /** The proxy is down and there is nothing to go back to: why; null = no. */
  readonly stuck: SwitchFailure | null;
  /** The latest time that this machine's clock has shown, epoch ms. */
  readonly newestTime: number;
}

export const firstState: AgentState = {
  formatVersion: 1,
  kept: null,
  previous: null,
  trial: null,
  rulesOf: null,
  attempted: null,
  succeeded: [],
  failed: [],
  stuck: null,
  newestTime: 0,
};

/** So many earlier artifacts and revisions are stored. */
const remembered = 32;

export function beginTrial(state: AgentState, to: Named): AgentState {
  const trial = { ...to, from: state.kept, back: null, launchedIn: null, launches: 0 };
  return { ...state, attempted: to, trial };
}

export function recordLaunch(state: AgentState, boot: string): AgentState {
  const { trial } = state;
  return trial === null ? state : { ...state, trial: { ...trial, launchedIn: boot, launches: trial.launches + 1 } };
}

function addFailed(state: AgentState, named: Named, failure: SwitchFailure): AgentState["failed"] {
  const others = state.failed.filter(({ digest }) => digest !== named.digest);
  return [...others, { digest: named.digest, revision: named.revision, failure }].slice(-remembered);
}

/** The trial succeeded: its artifact becomes the kept one. */
export function keepTrial(state: AgentState): AgentState {
  const { trial, kept } = state;
  if (trial === null) return state;
  const named = { digest: trial.digest, revision: trial.revision };
  const succeeded = [...state.succeeded.filter((each) => each !== named.revision), named.revision].slice(-remembered);
  // A failed artifact is nothing to go back to.
  const previous = trial.back === null ? kept : null;
  return { ...state, kept: named, previous, trial: null, succeeded, stuck: null };
}

/** The trial failed: a switch back begins. */
export function turnBack(state: AgentState, failure: SwitchFailure): AgentState {
  const { trial, kept, previous } = state;
  // Without a trial the kept artifact failed, shortly after it was kept.
  const bad = trial ?? kept;
  const target = trial === null ? previous : trial.from;
  if (bad === null || target === null) return state;
  const back = {
    ...target,
    from: { digest: bad.digest, revision: bad.revision },
    back: failure,
    launchedIn: null,
    launches: 0,
  };
  return { ...state, failed: addFailed(state, bad, failure), trial: back };
}

/** The trial failed, and nothing is left to go back to. */
export function giveUp(state: AgentState, failure: SwitchFailure): AgentState {
  const { trial } = state;
  // The artifact that was gone back to had worked once, and may be tagged again; the one before it is in the list already.
  const failed = trial === null || trial.back !== null ? state.failed : addFailed(state, trial, failure);
  return { ...state, failed, trial: null, kept: null, previous: null, stuck: failure };
}
