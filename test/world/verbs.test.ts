import { describe } from "vitest";

import { failed, makeCluster, makeLedger, makeRun, makeStop, makeSnapshot, runId, sha } from "./build.ts";
import { a, b, clusters, runCases } from "./decide-cases.ts";

describe("verbs", () => {
  const request = {
    id: "v1",
    verb: "resume" as const,
    scope: `run/${runId}` as const,
    strength: "move" as const,
    who: "ana",
    why: "looked at it",
    at: "2026-11-19T12:10:00Z",
  };
  const failures = ["one:shop/Deployment/a"];
  const stop = makeStop({ id: "f1", scope: `run/${runId}`, cause: "failures", failures });
  const runs = { [runId]: makeRun(sha("head"), sha("base")) };
  const stopped = makeLedger({ main: sha("head"), judged: sha("head"), runs, stops: { f1: stop } });
  const resume = { at: "", who: "ana", why: "" };
  const resumed = { ...stopped, stops: { f1: { ...stop, resume } }, requests: { v1: { at: "", answer: "" } } };
  runCases({
    "3.3 resume ends the stop on the run": {
      snapshot: makeSnapshot({
        ledger: stopped,
        requests: [request],
        clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])),
      }),
      want: ["resumeStop f1"],
    },
    "3.3 what failed stays skipped after resume, and does not count again": {
      snapshot: makeSnapshot({ ledger: resumed, clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])) }),
      want: ["handOut one shop/b"],
    },
    "7.5 a verb is carried out once": {
      snapshot: makeSnapshot({
        ledger: resumed,
        requests: [request],
        clusters: clusters(makeCluster("one", [failed(a, "new", runId), b])),
      }),
      want: ["handOut one shop/b"],
    },
    "7.5 a verb with nothing to resume is answered": {
      snapshot: makeSnapshot({
        ledger: { ...stopped, stops: {} },
        requests: [request],
        clusters: clusters(makeCluster("one", [b])),
      }),
      want: ["answerRequest"],
    },
  });
});
