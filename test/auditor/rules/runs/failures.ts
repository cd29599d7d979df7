import type { AuditedWrite, Evidence } from "../../evidence/evidence.ts";
import { digPart } from "../../reading/files/dig.ts";
import { isDone, ourManager, ourUser } from "../../reading/writes/hands.ts";
import { ledgerOf } from "../../reading/writes/moves.ts";
import { nameObject } from "../../reading/writes/replay.ts";
import { makeRule } from "../rule.ts";

function isFailure(write: AuditedWrite): boolean {
  return isDone(write) && typeof digPart(write.body, "metadata", "annotations")["meshroll.dev/failed"] === "string";
}

function isByUs({ user, fieldManager }: AuditedWrite): boolean {
  return user === ourUser && fieldManager === ourManager;
}

/** `cluster:namespace/Kind/name`, or `cluster:namespace/*`, as a stop names it. */
function nameFailed(cluster: string, path: string): string {
  const namespace = /\/namespaces\/([^/]+)$/u.exec(path)?.[1];
  return namespace === undefined ? nameObject(cluster, path) : `${cluster}:${namespace}/*`;
}

/** Every object that was marked as failed, and whether an executor did so. */
function listMarked({ clusters }: Evidence): ReadonlyMap<string, boolean> {
  const marked = new Map<string, boolean>();
  for (const { name, writes } of clusters)
    for (const write of writes.filter(isFailure)) {
      const object = nameFailed(name, write.path);
      marked.set(object, isByUs(write) || marked.get(object) === true);
    }
  return marked;
}

/** A run is stopped for failures that our executor recorded, and for none that another hand wrote (rules 3.3). */
export const failuresAreOurs = makeRule("failuresAreOurs", (evidence, found) => {
  const marked = listMarked(evidence);
  for (const { id, cause, failures = [] } of ledgerOf(evidence).stops) {
    if (cause !== "failures") continue;
    for (const object of failures) {
      found.judge();
      const isOurs = marked.get(object);
      if (isOurs === undefined) found.leave("whether a move was refused that no executor could mark as failed");
      else if (!isOurs) found.refuse("", `stop ${id}`, `stopped for ${object}, which another hand marked as failed`);
    }
  }
});
