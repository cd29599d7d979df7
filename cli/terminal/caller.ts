import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";

import type { Terminal } from "./terminal.ts";

/** The name of the process's owner; a container may run as a user without one. */
function readOwner(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** Who types, as the shell says. It is not checked: wherever it is shown it is called unverified (rules 7.5). */
export function readWho({ env }: Pick<Terminal, "env">): string {
  const name = env["USER"] ?? env["LOGNAME"] ?? readOwner();
  // It becomes a line of the ledger's history.
  return name.replaceAll(/\s+/gu, " ").trim().slice(0, 100) || "unknown";
}

/** A unique id that says what it is about. */
export function makeRequestId(verb: string): string {
  return `${verb}-${randomUUID().slice(0, 8)}`;
}
