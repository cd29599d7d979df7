import type { Namespace } from "#libs/fleet";

import { findOwnWrite } from "./find-own-write.ts";

/** The namespace's label was changed by us for this revision, and still is: it was begun. */
export function isRelabelledFor(namespace: Namespace, target: string): boolean {
  return findOwnWrite(namespace)?.run.target === target;
}
