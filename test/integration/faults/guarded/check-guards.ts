import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";

import { applyEdits, type GuardEdit, guardEdits } from "./guard-edits.ts";
import { type SeenGuard, seenGuards } from "./guards-seen.ts";

/** What is compared; `readSource` is given a path below the repository's root. */
export interface Guards {
  readonly edits: Readonly<Record<string, readonly GuardEdit[]>>;
  readonly seen: readonly (Pick<SeenGuard, "fault"> & { readonly guard: string })[];
  readonly faults: readonly string[];
  readonly readSource: (file: string) => string;
}

function tellError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Takes one guard out of each file that has it; what is left must still be a program. */
function checkEdits(guard: string, edits: readonly GuardEdit[], readSource: Guards["readSource"]): readonly string[] {
  return [...Map.groupBy(edits, ({ file }) => file)].flatMap(([file, ofFile]) => {
    try {
      stripTypeScriptTypes(applyEdits(readSource(file), ofFile));
      return [];
    } catch (error) {
      return [`${guard} cannot be taken out of ${file}: ${tellError(error)}`];
    }
  });
}

/** What is wrong with the list of guards, each by name: an edit that does not fit, a guard without a fault, a fault that is none. */
export function checkGuards({ edits, seen, faults, readSource }: Guards): readonly string[] {
  const known = seen.map(({ guard }) => guard);
  const isTwice = (guard: string, index: number): boolean => known.indexOf(guard) !== index;
  return [
    ...Object.entries(edits).flatMap(([guard, ofGuard]) => checkEdits(guard, ofGuard, readSource)),
    ...Object.keys(edits).flatMap((guard) => (known.includes(guard) ? [] : [`${guard} names no fault`])),
    ...known.filter(isTwice).map((guard) => `${guard} is listed twice`),
    ...seen.flatMap(({ guard, fault }) => (faults.includes(fault) ? [] : [`${guard}: there is no fault ${fault}`])),
  ];
}

/** The same of this checkout. */
export function checkOwnGuards(faults: readonly string[]): readonly string[] {
  const root = new URL("../../../../", import.meta.url);
  const readSource = (file: string): string => readFileSync(new URL(file, root), "utf8");
  return checkGuards({ edits: guardEdits, seen: seenGuards, faults, readSource });
}
