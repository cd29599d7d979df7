import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

import { applyEdits, type GuardEdit, guardEdits } from "./guard-edits.ts";

/**
 * Loaded ahead of a service (`node --import`): the guards that `MESHROLL_TEST_WITHOUT_GUARD` names are taken out of the source that
 * this process runs.
 */
const root = new URL("../../../../", import.meta.url);
const names = new Set((process.env["MESHROLL_TEST_WITHOUT_GUARD"] ?? "").split(","));
const known = new Map<string, readonly GuardEdit[]>(Object.entries(guardEdits));
const edits = [...names].flatMap((name) => {
  const found = known.get(name);
  if (found === undefined) throw new Error(`${JSON.stringify(name)} is no guard: use ${[...known.keys()].join(", ")}`);
  return found;
});
const byPath = Map.groupBy(edits, ({ file }) => fileURLToPath(new URL(file, root)));
process.env["MESHROLL_TEST_PUSH_ANYWAY"] = new URL("push-anyway.ts", import.meta.url).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const found = url.startsWith("file:") ? byPath.get(fileURLToPath(url)) : undefined;
    if (found === undefined) return loaded;
    const source = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
    return { ...loaded, source: applyEdits(source, found) };
  },
});
