import { parseAllDocuments } from "yaml";

import { areSame } from "./same-values.ts";
import { applyExpected, listObjects, type Written } from "./expect-change.ts";

/** Aliases become copies here, so that a change of a shared node is noticed. */
function readValues(text: string): readonly unknown[] {
  if (/^\s*[[{]/.test(text)) {
    try {
      return [JSON.parse(text)];
    } catch {
      // Several values, or YAML that looks like JSON.
    }
  }
  const documents = parseAllDocuments(text, {
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  return documents.map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 1000 }) ?? null)) as unknown;
  });
}

/** Whether a document reads as before except for the written values; `written` by the index of the object. */
export function verifyPiece(before: string, after: string, written: ReadonlyMap<number, Written>): boolean {
  try {
    const expected = readValues(before);
    const objects = expected.flatMap((value) => listObjects(value));
    for (const [index, one] of written) applyExpected(objects[index], one);
    return areSame(expected, readValues(after));
  } catch {
    return false; // A text that cannot be parsed again was not written as intended.
  }
}
