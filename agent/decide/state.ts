import type { SwitchFailure } from "#libs/wording";

/** An artifact, by its digest, and the revision that it is of. */
export interface Named {
  readonly digest: string;
  readonly revision: string;
}

/** A switch that has begun and is neither kept nor taken back. */
export interface Trial extends Named {
  /** What ran before; null on a new VM. */
  readonly from: Named | null;
  /** The failure of what is taken back by this switch; null on the way forward. */
  readonly back: SwitchFailure | null;
  /** In which boot of the machine its proxy was started last; null before that. A power cut ends processes, and is no fault of theirs. */
  readonly launchedIn: string | null;
  /** How often it was started. */
  readonly launches: number;
}

/** What the agent remembers, in one file. What the disk and the processes say themselves is not in here. */
export interface AgentState {
  readonly formatVersion: 1;
  /** What was kept last: it was ready for long enough. */
  readonly kept: Named | null;
  /** What was kept before that. */
  readonly previous: Named | null;
  readonly trial: Trial | null;
  /** The slot whose iptables rules may be in force; null = none. */
  readonly rulesOf: string | null;
  /** The last switch that was begun, whatever became of it; never read as a success. */
  readonly attempted: Named | null;
  /** Revisions that were kept, newest last: which floors were passed. */
  readonly succeeded: readonly string[];
  /** Artifacts that were tried and failed: not tried again. */
  readonly failed: readonly (Named & { readonly failure: SwitchFailure })[];
  /** What is down, and why nothing is left to go back to; null = nothing. */
  readonly stuck: SwitchFailure | null;
  /** The newest time that this machine's clock ever said, epoch ms. */
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

/** How many past artifacts and revisions are remembered. */
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

/** The trial is over, well: what runs now is what is gone back to. */
export function keepTrial(state: AgentState): AgentState {
  const { trial, kept } = state;
  if (trial === null) return state;
  const named = { digest: trial.digest, revision: trial.revision };
  const succeeded = [...state.succeeded.filter((each) => each !== named.revision), named.revision].slice(-remembered);
  // What failed is nothing to go back to.
  const previous = trial.back === null ? kept : null;
  return { ...state, kept: named, previous, trial: null, succeeded, stuck: null };
}

/** The trial failed: the switch back begins, which is one like any other. */
export function turnBack(state: AgentState, failure: SwitchFailure): AgentState {
  const { trial, kept, previous } = state;
  // Without a trial what was kept fails, soon after it was.
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
  // What was gone back to was good once, and may be tagged again; what it was gone back from is in the list already.
  const failed = trial === null || trial.back !== null ? state.failed : addFailed(state, trial, failure);
  return { ...state, failed, trial: null, kept: null, previous: null, stuck: failure };
}
