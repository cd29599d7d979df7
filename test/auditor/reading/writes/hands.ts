import type { AuditedWrite } from "../../evidence/evidence.ts";

/** The account that executors and the command line log in with, and the field manager that they name. */
export const ourUser = "meshroll-executor";
export const recordManager = "meshroll-record";
export const ourManager = "meshroll";

/** A request with meshroll's user or its field manager. Only both together are right; the rule `ownHandsOnly` checks that. */
export function isOurs({ user, fieldManager }: AuditedWrite): boolean {
  return user === ourUser || fieldManager === ourManager;
}

/** True when the server carried the request out. */
export function isDone({ status }: AuditedWrite): boolean {
  return status < 300;
}
