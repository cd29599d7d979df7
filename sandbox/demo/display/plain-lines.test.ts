import { expect, test } from "vitest";

import { createPlainLines } from "./plain-lines.ts";
import { makeStatus, run, share } from "../test-status.ts";

test("a dumb terminal gets a line when the counts changed, and no control character", () => {
  let written = "";
  const display = createPlainLines({ write: (text) => (written += text) });
  const status = makeStatus({ runs: [run([share("a", 8, { migrated: 4, migrating: 1 })])] });
  display.showStatus(makeStatus());
  display.showStatus(status);
  display.showStatus({ ...status, at: "2026-11-21T15:30:00.000Z" });
  display.suggest([{ what: "look", command: "npx meshroll status" }]);
  display.suggest([{ what: "look", command: "npx meshroll status" }]);
  display.say("said");
  display.leave();
  display.summarise("the end", {});
  expect(written).toBe(
    [
      "  run a17ecec1ed5f  ████████████░░░░░░░░░░░░  4/8 migrated, 1 migrating, 0 skipped",
      "  ▸ look: npx meshroll status",
      "said",
      "the end",
      "",
    ].join("\n"),
  );
});
