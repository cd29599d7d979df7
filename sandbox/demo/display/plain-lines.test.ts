import { expect, test } from "vitest";

import { createPlainLines } from "./plain-lines.ts";
import { makeStatus, run, share } from "../test-status.ts";

test("a pipe gets a line when the counts changed, at most one in three seconds, and no control character", () => {
  let [written, now] = ["", 0];
  const display = createPlainLines({ write: (text) => (written += text) }, { monotonic: () => now });
  const status = makeStatus({ runs: [run([share("a", 8, { migrated: 4, migrating: 1 })])] });
  display.showStatus(makeStatus());
  display.showStatus(status);
  now += 3000;
  display.showStatus({ ...status, at: "2026-11-21T15:30:00.000Z" });
  display.showStatus(makeStatus({ runs: [run([share("a", 8, { migrated: 5 })])] }));
  display.showStatus(makeStatus({ runs: [run([share("a", 8, { migrated: 6 })])] }));
  display.suggest([{ what: "look", command: "npx meshroll status" }]);
  display.suggest([{ what: "look", command: "npx meshroll status" }]);
  display.say("said");
  display.leave();
  display.summarise("the end", {});
  expect(written).toBe(
    [
      "  run a17ecec1ed5f  ████████████░░░░░░░░░░░░  4/8 migrated, 1 migrating, 0 skipped",
      "  run a17ecec1ed5f  ███████████████░░░░░░░░░  5/8 migrated, 0 migrating, 0 skipped",
      "  ▸ look: npx meshroll status",
      "said",
      "the end",
      "",
    ].join("\n"),
  );
});

test("what a person may type is followed by the address of the page, where the status knows it", () => {
  let written = "";
  const display = createPlainLines({ write: (text) => (written += text) }, { monotonic: () => 0 });
  display.showStatus(makeStatus({ page: "http://127.0.0.1:8080" }));
  display.suggest([{ what: "look", command: "npx meshroll status" }]);
  expect(written).toBe("  ▸ look: npx meshroll status\n  ▸ in a browser: http://127.0.0.1:8080/\n");
});
