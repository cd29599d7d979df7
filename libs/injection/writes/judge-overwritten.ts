import { istioKeys, readRunning } from "#libs/fleet";

import { listForeignFields, readLastWrite } from "./find-own-write.ts";
import { isWorkload, type AnnotatedObject } from "./object-change.ts";

/** Another manager changed what we wrote: that ends the move, and it is not written again for that target without a verb. */
export interface Overwritten {
  /** The field manager; undefined when the API server does not say who. */
  readonly manager?: string;
  readonly target: string;
  /** JSON pointers of the fields: what the manager's ignore rule must name. */
  readonly pointers: readonly string[];
}

function makePointer(isTemplate: boolean, key: string): string {
  const group = key === istioKeys.revision || key === istioKeys.injection ? "labels" : "annotations";
  const parent = isTemplate ? "/spec/template/metadata" : "/metadata";
  return `${parent}/${group}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** A stripped token that restarted every pod in time has done its work: nothing was overwritten by its owner. */
function isDoneAnyway(object: AnnotatedObject, target: string, foreign: readonly string[]): boolean {
  if (!isWorkload(object) || foreign.some((key) => key === istioKeys.revision)) return false;
  const running = readRunning(object);
  return running.kind === "all" && running.revision === target;
}

/** Was our write put back, or changed, by another manager (rules 5.5)? Ask only of what does not run the target. */
export function judgeOverwritten(object: AnnotatedObject): Overwritten | undefined {
  const write = readLastWrite(object);
  if (write === undefined) return undefined;
  const { target } = write.run;
  const foreign = listForeignFields(object, write);
  if (foreign.length === 0 || isDoneAnyway(object, target, foreign)) return undefined;
  const manager = object.revisionManager?.name;
  const pointers = foreign.map((key) => makePointer(isWorkload(object), key));
  return { ...(manager === undefined ? {} : { manager }), target, pointers };
}
