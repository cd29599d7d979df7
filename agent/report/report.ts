import { type AgentReason, printText, renderAgentReason } from "#libs/wording";

import type { AgentState } from "../decide/state.ts";

/** What an agent says of its VM. */
export interface Report {
  readonly formatVersion: 1;
  /** ISO time. */
  readonly at: string;
  /** Of the agent. */
  readonly version: string;
  /** What its tag asked for when it was read last; null = nothing, or it could not be read. */
  readonly tag: string | null;
  /** What is kept: the revision that runs for good. */
  readonly revision: string | null;
  /** The last switch that was begun; whether it was well is `revision`'s to say. */
  readonly attempted: string | null;
  readonly inProgress: boolean;
  readonly ready: boolean;
  readonly reason: AgentReason;
  /** For people. */
  readonly message: string;
}

export interface Reporter {
  /** Never throws: a report that is lost comes again. */
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
