import type { Snapshot } from "#libs/plan";
import { describe } from "vitest";

import { makeCluster, makeLedger, makeRun, makeSpec, makeSnapshot, noon, runId, sha } from "./build.ts";
import { a, clusters, runCases } from "./decide-cases.ts";

const points = (spec = makeSpec(sha("next"), 50)) => [
  { commit: { sha: spec.commit, author: "ben", subject: "raise", at: noon }, spec },
];

describe("runs", () => {
  const judgedBase = makeLedger();
  const base = makeSpec(sha("base"), 0);
  const withPoint = (spec: ReturnType<typeof makeSpec>): Snapshot =>
    makeSnapshot({
      ledger: judgedBase,
      specs: new Map([
        [base.commit, base],
        [spec.commit, spec],
      ]),
      main: { head: spec.commit, ageMs: 0, contained: true, vanished: [], points: points(spec) },
      clusters: clusters(makeCluster("one", [a])),
    });
  const unparsable = {
    commit: { sha: sha("bad"), author: "ben", subject: "oops", at: noon },
    findings: [
      { code: "MR1004", severity: "error" as const, file: "rollouts.yml", line: 3, column: 5, message: "sum is 105" },
    ],
  };
  runCases({
    "1.1 a run is a commit after which the parsed file differs": {
      snapshot: withPoint(makeSpec(sha("next"), 50)),
      want: ["startRun 6e65"],
    },
    "1.1 a commit that does not change the parsed file is judged and is no run": {
      snapshot: withPoint(makeSpec(sha("next"), 0)),
      want: ["judge"],
    },
    "1.1 a commit that changes only the seed is a run": {
      snapshot: withPoint(makeSpec(sha("next"), 0, { seed: "2027" })),
      want: ["startRun 6e65"],
    },
    "1.1 a commit that changes only settings is no run": {
      snapshot: withPoint(makeSpec(sha("next"), 0, { strategy: "Window" })),
      want: ["judge"],
    },
    "1.2 without a baseline everything is only observed": {
      snapshot: makeSnapshot({ ledger: undefined, clusters: clusters(makeCluster("one", [a])) }),
      want: ["wait NoBaseline"],
    },
    "1.2 after a baseline what differs from the file is drift and nothing moves": {
      snapshot: makeSnapshot({
        ledger: makeLedger({ main: sha("head"), judged: sha("head") }),
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: [],
    },
    "1.3 differences after a run is done are drift": {
      snapshot: makeSnapshot({
        ledger: makeLedger({
          main: sha("head"),
          judged: sha("head"),
          runs: { [runId]: makeRun(sha("head"), sha("base"), { state: "done" }) },
        }),
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: [],
    },
    "1.6 a run in which no desired revision changes is empty and done at once": {
      snapshot: makeSnapshot({ clusters: clusters(makeCluster("one", [])) }),
      want: ["finishRun empty"],
    },
    "1.7 main that does not parse stops everything": {
      snapshot: makeSnapshot({
        main: { head: sha("bad"), ageMs: 0, contained: true, vanished: [], points: [unparsable] },
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: ["wait MainUnparsable"],
    },
    "1.7 a commit after one that does not parse is compared with the last that did": {
      snapshot: {
        ...withPoint(makeSpec(sha("next"), 50)),
        main: { head: sha("next"), ageMs: 0, contained: true, vanished: [], points: [unparsable, ...points()] },
      },
      want: ["startRun 6e65"],
    },
    "1.7 a forced push stops everything": {
      snapshot: makeSnapshot({
        main: { head: sha("head"), ageMs: 0, contained: false, vanished: [], points: [] },
        clusters: clusters(makeCluster("one", [a])),
      }),
      want: ["placeStop all forcedPush"],
    },
  });
});
