import type { AuditedWrite } from "../../evidence/evidence.ts";

/** The account that executors and the command line log in with, and the field manager that they name. */
export const ourUser = "meshroll-executor";
export const recordManager = "meshroll-record";
export const ourManager = "meshroll";

/** A request of meshroll's, by either of its two names: only both together are right, and a rule says so. */
export function isOurs({ user, fieldManager }: AuditedWrite): boolean {
  return user === ourUser || fieldManager === ourManager;
}

/** The server carried it out. */
export function isDone({ status }: AuditedWrite): boolean {
  return status < 300;
}
