import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { makePreviousBuild } from "../builds/previous-build.ts";

// The upgrade's own step makes it too, an hour later: each of its edits has to find its one place in the source.
it("the build of the version before can be made of this tree", () => {
  const folder = mkdtempSync(join(tmpdir(), "meshroll build "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(makePreviousBuild(join(folder, "previous"))).toBe(join(folder, "previous"));
});
