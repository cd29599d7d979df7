import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";

import type { FleetStatus } from "#libs/plan";

import { isCurrent } from "./read/read-published.ts";
import type { Terminal } from "./terminal.ts";

/** The name of the process's owner; a container may run as somebody who has none. */
function readOwner(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** Who types, as the shell says. Nobody checked it: wherever it is shown it is called unverified (rules 7.5). */
export function readWho({ env }: Pick<Terminal, "env">): string {
  const name = env["USER"] ?? env["LOGNAME"] ?? readOwner();
  // It becomes a line of the ledger's history.
  return name.replaceAll(/\s+/gu, " ").trim().slice(0, 100) || "unknown";
}

/** An id that nobody else has, and that says what it is about. */
export function makeRequestId(verb: string): string {
  return `${verb}-${randomUUID().slice(0, 8)}`;
}

/**
 * Epoch ms of the planner's clock, which judges `until` and what was "placed later"; by this machine's own while no planner
 * is heard. A demo's time runs faster than a person's.
 */
export function readPlannerTime(status: FleetStatus | undefined): number {
  const wroteAt = status?.wroteAt;
  if (status === undefined || wroteAt === undefined || !isCurrent(status)) return Date.now();
  return Date.parse(status.at) + Math.max(0, Date.now() - wroteAt);
}
