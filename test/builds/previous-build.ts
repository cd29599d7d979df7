import { newestFormat, oldestFormat } from "#libs/input";

import { copyBuild, editBuild } from "./copy-build.ts";

type Edit = readonly [path: string, from: string, to: string];

/** By version: what its writers did otherwise than this build does where it writes that version (docs/reference/formats.md). */
const edits: ReadonlyMap<number, readonly Edit[]> = new Map([
  [
    1,
    [
      ["services/planner/control/seed-control.ts", "reads: newestFormat, beat", "beat"],
      [
        "services/executor/inventory/publish-inventory.ts",
        "countKeys(), mode, reads: newestFormat,",
        "countKeys(), mode,",
      ],
      [
        "services/executor/inventory/tell-unseen.ts",
        "...known, stops, mode, reads: newestFormat,",
        "...known, stops, mode,",
      ],
    ],
  ],
]);

/**
 * A build of the version before: this tree, copied, that reads and writes no newer one, and writes what the older one wrote. No
 * such build was released, so none stands in the history that today's readers could read.
 */
export function makePreviousBuild(into: string): string {
  const folder = copyBuild(into);
  const [from, to] = [`newestFormat: number = ${newestFormat};`, `newestFormat: number = ${oldestFormat};`];
  editBuild(folder, "libs/input/format.ts", from, to);
  for (const edit of edits.get(oldestFormat) ?? []) editBuild(folder, ...edit);
  return folder;
}
