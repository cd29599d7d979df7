import type { Namespace } from "#libs/fleet";

import { findStandingWrite } from "./find-standing-write.ts";

/** The namespace's label was changed by us for this revision, and still is: it was begun. */
export function isRelabelledFor(namespace: Namespace, target: string): boolean {
  return findStandingWrite(namespace)?.run.target === target;
}
