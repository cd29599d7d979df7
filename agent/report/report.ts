import { type AgentReason, printText, renderAgentReason } from "#libs/wording";

import type { AgentState } from "../decide/state.ts";

/** An agent's report about its VM. */
export interface Report {
  readonly formatVersion: 1;
  /** ISO time. */
  readonly at: string;
  /** Of the agent. */
  readonly version: string;
  /** The revision in the tag when it was last read; null = none, or unreadable. */
  readonly tag: string | null;
  /** The kept revision. */
  readonly revision: string | null;
  /** The last switch that was begun; `revision` shows whether it succeeded. */
  readonly attempted: string | null;
  readonly inProgress: boolean;
  readonly ready: boolean;
  readonly reason: AgentReason;
  /** For people. */
  readonly message: string;
}

export interface Reporter {
  /** Never throws: a lost report is followed by another. */
  tell(report: Report): Promise<void>;
}

interface Seen {
  readonly now: number;
  readonly version: string;
  readonly tag: string | null;
  readonly ready: boolean;
  readonly reason: AgentReason;
}

export function makeReport(state: AgentState, { now, version, tag, ready, reason }: Seen): Report {
  return {
    formatVersion: 1,
    at: new Date(now).toISOString(),
    version,
    tag,
    revision: state.kept?.revision ?? null,
    attempted: state.attempted?.revision ?? null,
    inProgress: state.trial !== null || reason.code === "Installing",
    ready,
    reason,
    message: printText(renderAgentReason(reason)),
  };
}
