import type { AuditedWrite } from "../../evidence/evidence.ts";
import { digPart } from "../../reading/files/dig.ts";
import { isDone, ourManager, ourUser } from "../../reading/writes/hands.ts";
import { ledgerOf } from "../../reading/writes/moves.ts";
import { nameObject } from "../../reading/writes/replay.ts";
import { makeRule } from "../rule.ts";

/** An executor marked the object as failed, or its API server refused to have it moved. */
function isFailure(write: AuditedWrite): boolean {
  const { user, fieldManager, status, body } = write;
  if (user !== ourUser || fieldManager !== ourManager) return false;
  const isMark = typeof digPart(body, "metadata", "annotations")["meshroll.dev/failed"] === "string";
  return isDone(write) ? isMark : status < 500 && status !== 409;
}

/** `cluster:namespace/Kind/name`, or `cluster:namespace/*`, as a stop names it. */
function nameFailed(cluster: string, path: string): string {
  const namespace = /\/namespaces\/([^/]+)$/u.exec(path)?.[1];
  return namespace === undefined ? nameObject(cluster, path) : `${cluster}:${namespace}/*`;
}

/** A run is stopped for failures that our executor recorded, and for none that another hand wrote (rules 3.3). */
export const failuresAreOurs = makeRule("failuresAreOurs", (evidence, found) => {
  const failed = new Set(
    evidence.clusters.flatMap(({ name, writes }) =>
      writes.filter(isFailure).map(({ path }) => nameFailed(name, path)),
    ),
  );
  for (const { id, cause, failures = [] } of ledgerOf(evidence).stops) {
    if (cause !== "failures") continue;
    for (const object of failures) {
      found.judge();
      if (!failed.has(object)) found.refuse("", `stop ${id}`, `stopped for ${object}, which no executor marked as failed`);
    }
  }
});
