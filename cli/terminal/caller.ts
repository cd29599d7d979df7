import { randomUUID } from "node:crypto";
import { userInfo } from "node:os";

import type { Terminal } from "./terminal.ts";

/** The process owner's name; a container may run as a user without one. */
function readOwner(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}

/** The caller's name by the shell. It is not verified, and is called so wherever it is shown (rules 7.5). */
export function readWho({ env }: Pick<Terminal, "env">): string {
  const name = env["USER"] ?? env["LOGNAME"] ?? readOwner();
  // One line, because it is written into the ledger's history.
  return name.replaceAll(/\s+/gu, " ").trim().slice(0, 100) || "unknown";
}

/** A unique id that begins with the verb. */
export function makeRequestId(verb: string): string {
  return `${verb}-${randomUUID().slice(0, 8)}`;
}
