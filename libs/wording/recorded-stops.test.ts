import { expect, it } from "vitest";

import { type RecordedStopProblem, renderStopProblem } from "./recorded-stops.ts";
import { printText } from "./text.ts";
import { printStopCause } from "./transitions/stop-causes.ts";

const entry = { cluster: "one", key: "pause-1" };
const name = "entry pause-1 of ConfigMap meshroll-recorded-stops in one";

const problems: { readonly [C in RecordedStopProblem["code"]]: readonly [problem: RecordedStopProblem, want: string] } =
  {
    OtherInstallation: [
      { code: "OtherInstallation", ...entry, installation: "abc" },
      `${name} is ignored: installation abc wrote it, and this is another installation`,
    ],
    OtherCluster: [
      { code: "OtherCluster", ...entry, scope: "cluster/two" },
      `${name} is ignored: it names cluster/two, and stops its own cluster only`,
    ],
    EntryHolds: [
      { code: "EntryHolds", ...entry },
      `${name} is ignored: a hold is placed by meshroll hold, a ConfigMap only stops its cluster`,
    ],
    FieldsIgnored: [
      { code: "FieldsIgnored", ...entry, scope: "all", fields: ["revertTo", "now"] },
      `${name} stops all there; its revertTo and now are ignored, because only a verb rolls back`,
    ],
    NotRecordable: [
      { code: "NotRecordable", id: "a/b", who: "ana", scope: "all" },
      'the stop "a/b" of ana on all cannot be recorded in the cluster: its id cannot be a key of a ConfigMap, or it is too long',
    ],
  };

it.each(Object.values(problems))("says what is wrong with a recorded stop: $0.code", (problem, want) => {
  expect(printText(renderStopProblem(problem))).toBe(want);
});

it("cuts long texts, and shows control characters", () => {
  const long = renderStopProblem({ code: "NotRecordable", id: "x".repeat(999), who: "y".repeat(999), scope: "all" });
  expect(printText(long).length).toBeLessThan(400);
  const unreadable = printStopCause({ code: "EntryUnreadable", cluster: "one", text: `\u001B[2J${"z".repeat(999)}` });
  expect(unreadable).toMatch(/^found in meshroll-system\/meshroll-recorded-stops of one, unreadable: /u);
  expect(unreadable.length).toBeLessThan(300);
  expect(unreadable).not.toContain("\u001B");
});
