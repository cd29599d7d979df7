import type { ReasonCode } from "#libs/wording";

import type { WaitStatus } from "../campaign-status.ts";

/** Waits that end by themselves, though a command shows more of them. */
const endByThemselves: readonly string[] = ["GatePending"] satisfies readonly ReasonCode[];

/** Whether only a person ends the wait: it has no time, and a command. */
export function needsPerson({ code, until, command }: Pick<WaitStatus, "code" | "until" | "command">): boolean {
  return until === undefined && command !== undefined && !endByThemselves.includes(code);
}
