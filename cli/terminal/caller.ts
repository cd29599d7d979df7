import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";

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
