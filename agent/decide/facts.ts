import type { Offer } from "#libs/artifact";

import type { AgentState } from "./state.ts";

/** The VM's tag. One that cannot be read changes nothing. */
export type Tag =
  | { readonly kind: "revision"; readonly revision: string }
  | { readonly kind: "unset" }
  | { readonly kind: "unknown"; readonly why: string };

/** All facts of one decision. */
export interface Facts {
  readonly state: AgentState;
  /** The target of the live link; undefined = there is none. */
  readonly current: string | undefined;
  /** Digests of complete slots. */
  readonly slots: readonly string[];
  readonly tag: Tag;
  /** The store's offer for the tag's revision; undefined = not asked yet. */
  readonly offer: Offer | undefined;
  /** The slot of the newest proxy process; undefined = none runs. */
  readonly running: string | undefined;
  /** Ms for which that process has been ready without interruption; 0 = it is not ready. */
  readonly readyForMs: number;
  /** Ms since this agent saw the process, ready or not. */
  readonly runsForMs: number;
  /** Ms since the running artifact was kept, as far as this agent saw. */
  readonly keptForMs: number;
  /** Starts of the kept proxy since it was ready, or since files were fetched last. */
  readonly restarts: number;
  /** Whether the control plane of the trial, or else of the offer, accepts connections. */
  readonly controlPlaneAnswers: boolean;
  /** Changes with each start of the machine. */
  readonly boot: string;
  /** Epoch ms. */
  readonly now: number;
}

/** The agent's version and time limits. */
export interface Rules {
  /** Of this agent, as `1.2.0`. */
  readonly version: string;
  /** Ms within which a new proxy has to be ready. */
  readonly readyWithinMs: number;
  /** Ms for which it then has to stay ready, before it is kept. */
  readonly settleMs: number;
  /** Ms after that within which its end still counts as its failure. */
  readonly probationMs: number;
}
