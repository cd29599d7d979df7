import type { Offer } from "#libs/artifact";

import type { AgentState } from "./state.ts";

/** What the VM's tag says. What cannot be read is no tag: it changes nothing. */
export type Tag =
  | { readonly kind: "revision"; readonly revision: string }
  | { readonly kind: "unset" }
  | { readonly kind: "unknown"; readonly why: string };

/** All that one decision may know. */
export interface Facts {
  readonly state: AgentState;
  /** To what the live tree's link points; undefined = there is none. */
  readonly current: string | undefined;
  /** Digests of complete slots. */
  readonly slots: readonly string[];
  readonly tag: Tag;
  /** What the store has for the tag's revision; undefined = not asked yet. */
  readonly offer: Offer | undefined;
  /** The slot of the newest proxy process; undefined = none runs. */
  readonly running: string | undefined;
  /** Ms for which that process has been ready without a break; 0 = it is not. */
  readonly readyForMs: number;
  /** Ms since this agent saw the process, ready or not. */
  readonly runsForMs: number;
  /** Ms since what runs was kept, as far as this agent saw it. */
  readonly keptForMs: number;
  /** Starts of what was kept since it was ready, or since files were fetched last. */
  readonly restarts: number;
  /** Whether the control plane of what is tried, or else of what is offered, takes connections. */
  readonly controlPlaneAnswers: boolean;
  /** Changes with each start of the machine. */
  readonly boot: string;
  /** Epoch ms. */
  readonly now: number;
}

/** How patient the agent is, and what it is. */
export interface Rules {
  /** Of this agent, as `1.2.0`. */
  readonly version: string;
  /** Ms within which a new proxy has to be ready. */
  readonly readyWithinMs: number;
  /** Ms for which it then has to stay ready, before it is kept. */
  readonly settleMs: number;
  /** Ms after that in which its end is still taken for its own fault. */
  readonly probationMs: number;
}
